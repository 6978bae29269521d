package io.holdfast.redis;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A client in its own process, which can be paused or killed as a whole. Takes one order per line. */
final class ChildClient implements AutoCloseable {
    private final Process process;
    private final PrintStream orders;
    private final List<String> said = new CopyOnWriteArrayList<>();

    ChildClient(String url, String prefix) {
        try {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-Xmx64m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            ChildClient.class.getName(),
                            url,
                            prefix)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException unstartable) {
            throw new UncheckedIOException(unstartable);
        }
        orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "child-client-" + process.pid());
        reader.setDaemon(true);
        reader.start();
        await("ready");
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            lines.lines().forEach(said::add);
        } catch (IOException | UncheckedIOException gone) {
            // killed
        }
    }

    /**
     * {@code acquire <name> <lease ms>} prints {@code held <name> <token>}, and {@code lost} if it is;
     * {@code valid <name>}.
     */
    void tell(String order) {
        orders.println(order);
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
        signal("STOP");
    }

    void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            int exit = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException("kill -" + name + " ended with " + exit);
            }
        } catch (IOException unstartable) {
            throw new UncheckedIOException(unstartable);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    void kill() {
        process.destroyForcibly();
        Bench.soon("the child's end").until(() -> !process.isAlive());
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
