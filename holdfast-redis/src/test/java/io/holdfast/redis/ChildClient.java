package io.holdfast.redis;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.testing.process.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A client in its own process, which can be paused or killed as a whole. Takes one order per line. */
final class ChildClient implements AutoCloseable {
    private final JavaProcess process;
    private final List<String> said = new CopyOnWriteArrayList<>();

    ChildClient(String url, String prefix) {
        process = JavaProcess.program("child-client", ChildClient.class)
                .flags(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m"))
                .arguments(List.of(url, prefix))
                .start();
        process.listen(said::add, () -> {});
        await("ready");
    }

    /**
     * {@code acquire <name> <lease ms>} prints {@code held <name> <token>}, and {@code lost} if it is;
     * {@code valid <name>}.
     */
    void tell(String order) {
        process.tell(order);
    }

    boolean says(String word) {
        return said.stream().anyMatch(line -> line.startsWith(word));
    }

    /** Waits for a line with this first word. */
    String await(String word) {
        Bench.soon(word + " from the child").until(() -> says(word));
        return said.stream().filter(line -> line.startsWith(word)).findFirst().orElseThrow();
    }

    void pause() {
        process.pause();
    }

    void resume() {
        process.resume();
    }

    void kill() {
        process.kill();
    }

    @Override
    public void close() {
        kill();
    }

    /** The child itself. Ends with its input. */
    public static void main(String[] arguments) throws IOException {
        Map<String, Lease> leases = new ConcurrentHashMap<>();
        try (LockClient client =
                        RedisLocks.builder(arguments[0]).prefix(arguments[1]).connect();
                BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println("ready");
            for (String line = orders.readLine(); line != null; line = orders.readLine()) {
                String[] words = line.split(" ", -1);
                String name = words[1];
                if (words[0].equals("acquire")) {
                    client.lock(name, Bench.lease(Long.parseLong(words[2])))
                            .acquireAsync()
                            .thenAccept(lease -> {
                                leases.put(name, lease);
                                lease.onLost(reason -> System.out.println("lost " + name + " " + reason));
                                System.out.println("held " + name + " " + lease.token());
                            });
                } else {
                    System.out.println("valid " + name + " " + leases.get(name).isValid());
                }
            }
        }
    }
}
