package io.holdfast.comparison;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A JVM that works with one library. Reads a request a line and answers with a line, {@code ok} and words or
 * {@code failed} and a sentence; ends with its input, so that it never outlives the run.
 *
 * <ul>
 *   <li>{@code run TASK} works until the task's end, and answers with what it measured;
 *   <li>{@code hold TASK} enters as many sections as the task has threads and stays inside;
 *   <li>{@code leave} exits them again;
 *   <li>{@code usage} answers with the processor time and memory used so far.
 * </ul>
 */
final class Worker {
    private final Laps laps;
    private final Holds holds;

    private Worker(Peer peer, Witness witness) {
        this.laps = new Laps(peer, witness);
        this.holds = new Holds(peer);
    }

    /**
     * Works.
     *
     * @param args library, store, lease in milliseconds, file of the witness
     * @throws Exception if the library cannot be opened
     */
    public static void main(String[] args) throws Exception {
        PrintStream replies = System.out;
        System.setOut(System.err); // what a library prints is no reply
        Library library = Library.valueOf(args[0]);
        Peer peer = library.open(args[1], Duration.ofMillis(Long.parseLong(args[2])));
        Worker worker = new Worker(peer, Witness.on(Path.of(args[3])));
        replies.println("ok");
        BlockingQueue<String> requests = new LinkedBlockingQueue<>();
        Thread reader = new Thread(() -> read(requests), "bench-requests");
        reader.setDaemon(true);
        reader.start();
        while (true) {
            replies.println(worker.answer(requests.take()));
        }
    }

    /** Reads on while the worker works, so that it ends at once when nobody is there to answer. */
    private static void read(BlockingQueue<String> requests) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            lines.lines().forEach(requests::add);
        } catch (IOException | UncheckedIOException gone) {
            // as good as the end
        }
        Runtime.getRuntime().halt(0); // some libraries need seconds to close
    }

    private String answer(String request) {
        List<String> words = List.of(request.split(" ", -1));
        List<String> rest = words.subList(1, words.size());
        try {
            return "ok "
                    + switch (words.get(0)) {
                        case "run" -> laps.run(Task.decode(rest)).encode();
                        case "hold" -> holds.hold(Task.decode(rest)).encode();
                        case "leave" -> holds.leave();
                        case "usage" ->
                            Measured.nothing().withUsage(Usage.now()).encode();
                        default -> throw new IllegalArgumentException("unknown request: " + request);
                    };
        } catch (Throwable trouble) {
            trouble.printStackTrace();
            return "failed " + String.valueOf(trouble).replaceAll("\\s+", " ");
        }
    }
}
