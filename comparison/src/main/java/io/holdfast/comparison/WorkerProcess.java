package io.holdfast.comparison;

import io.holdfast.testing.process.JavaProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A {@link Worker}, seen from the run that started it. */
final class WorkerProcess implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);
    private static final String GONE = "gone";
    private static final List<String> FLAGS = List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:-UsePerfData");

    private final String who;
    private final JavaProcess process;
    private final Path log;
    private final BlockingQueue<String> replies = new LinkedBlockingQueue<>();

    private WorkerProcess(String who, JavaProcess process, Path log) {
        this.who = who;
        this.process = process;
        this.log = log;
    }

    /** Starts the JVM; {@link #awaitStart} tells when it is there. The same flags for everybody. */
    static WorkerProcess start(
            Library library, Store store, Ground ground, Duration lease, Path witness, Path log, String classPath) {
        List<String> arguments =
                List.of(library.name(), store.address(), Long.toString(lease.toMillis()), witness.toString());
        List<String> flags = new ArrayList<>(FLAGS);
        flags.addAll(store.clientFlags());
        if (ground.virtual()) {
            flags.add("-D" + Laps.VIRTUAL + "=true");
        }
        JavaProcess process = JavaProcess.program("a worker of " + library.label(), Worker.class)
                .under(ground.beforeClients())
                .flags(flags)
                .classPath(classPath)
                .arguments(arguments)
                .errors(Redirect.to(log.toFile()))
                .start();
        WorkerProcess worker = new WorkerProcess(library.label(), process, log);
        process.listen(worker.replies::add, () -> worker.replies.add(GONE));
        return worker;
    }

    void awaitStart() throws InterruptedException {
        reply(START);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void kill() {
        process.kill();
    }

    void send(String request) {
        try {
            process.tell(request);
        } catch (UncheckedIOException trouble) {
            throw new BenchException(who + ": a worker is gone: " + lastWords(), trouble);
        }
    }

    /** The words after {@code ok}. A worker that does not answer in time is killed. */
    List<String> reply(Duration patience) throws InterruptedException {
        String reply = replies.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
        if (reply == null) {
            kill();
            throw new BenchException("no answer within " + patience.toSeconds() + " s; stuck or starved", null);
        }
        if (reply.equals(GONE)) {
            throw new BenchException("its JVM ended: " + lastWords(), null);
        }
        List<String> words = List.of(reply.split(" ", -1));
        if (!words.get(0).equals("ok")) {
            throw new BenchException(reply.substring(reply.indexOf(' ') + 1), null);
        }
        return words.subList(1, words.size());
    }

    private String lastWords() {
        try {
            String last = null;
            for (String line : Files.readAllLines(log)) {
                boolean detail =
                        line.isBlank() || Character.isWhitespace(line.charAt(0)) || line.startsWith("Caused by");
                last = detail ? last : line;
            }
            return last == null ? "it said nothing" : last;
        } catch (IOException trouble) {
            throw new UncheckedIOException(trouble);
        }
    }

    @Override
    public void close() {
        kill();
    }
}
