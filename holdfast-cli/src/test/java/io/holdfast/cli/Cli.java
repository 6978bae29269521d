package io.holdfast.cli;

import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command as a person uses it: a process of its own, on pipes or on a terminal. What it starts sees no
 * {@code HOLDFAST_*} variable but those that were set here, and {@link #close} ends it with all that it started.
 *
 * <pre>{@code
 * try (Cli run = Cli.with(server.uri()).start("run", "db", "--", "sleep", "9")) {
 *     run.signal("TERM");
 *     assertThat(run.exitCode()).isEqualTo(143);
 * }
 * }</pre>
 */
final class Cli implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * Ignored signals are inherited: {@code nohup} ignores HUP, a shell ignores the others in background jobs. What the
     * tests start gets them all back.
     */
    private static final List<String> HEARING = List.of("env", "--default-signal=HUP,INT,QUIT");

    private final Process process;
    private final Tail out;
    private final Tail err;

    private Cli(Process process) {
        this.process = process;
        this.out = new Tail(process.getInputStream());
        this.err = new Tail(process.getErrorStream());
    }

    /** With a store, as {@code HOLDFAST_URL} says it. */
    static Start with(String url) {
        return new Start().env("HOLDFAST_URL", url);
    }

    /** Without a store: what the command finds, and a folder for what it starts. */
    static Start at(Path home) {
        return new Start().env("HOLDFAST_HOME", home.toString());
    }

    /** How the next one is started. */
    static final class Start {
        private final Map<String, String> environment = new LinkedHashMap<>();
        private final List<String> options = new ArrayList<>();
        private boolean terminal;
        private Path folder = Path.of("").toAbsolutePath();

        Start env(String name, String value) {
            environment.put(name, value);
            return this;
        }

        /** Where the command looks for a Redis if none is named, instead of 6379. */
        Start usualPort(int port) {
            options.add("-Dholdfast.port=" + port);
            return this;
        }

        /** In another working folder. */
        Start in(Path other) {
            folder = other;
            return this;
        }

        /** On a pseudo-terminal: {@link Cli#type} is the keyboard, and {@link Cli#out} all that is seen. */
        Start onTerminal() {
            terminal = true;
            return this;
        }

        Cli start(String... args) {
            return startOther(Main.class, args);
        }

        /** Another program of these tests, in the same way. */
        Cli startOther(Class<?> program, String... args) {
            List<String> command = new ArrayList<>(javaCommand(program));
            command.addAll(List.of(args));
            return launch("exec " + command.stream().map(Cli::quoted).collect(Collectors.joining(" ")));
        }

        /** A line for {@code sh}, in which {@code $HOLDFAST} stands for the command. */
        Cli shell(String line) {
            return launch(line);
        }

        private Cli launch(String line) {
            List<String> command = new ArrayList<>(HEARING);
            command.addAll(terminal ? List.of("script", "-qfec", line, "/dev/null") : List.of("sh", "-c", line));
            ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
            builder.environment().put("SHELL", "/bin/sh");
            builder.environment().put("HOLDFAST", String.join(" ", javaCommand(Main.class)));
            builder.environment().putAll(environment);
            try {
                return new Cli(builder.start());
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }

        private List<String> javaCommand(Class<?> program) {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-Xshare:auto",
                    "-Xmx128m",
                    "-XX:+UnlockDiagnosticVMOptions",
                    "-XX:-DisplayVMOutput"));
            command.addAll(options);
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
            return command;
        }
    }

    static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    /** Waits for the end. */
    int exitCode() {
        try {
            if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("still running; it said: " + out() + err());
            }
            // Whoever it left behind may have the pipe still; what it said itself is in it by now.
            out.join();
            err.join();
            return process.exitValue();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** What it has written until now. */
    String out() {
        return out.text();
    }

    byte[] outBytes() {
        return out.bytes();
    }

    String err() {
        return err.text();
    }

    /** Waits until it has written this. */
    Cli awaitOut(String text) {
        await(text).atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> seen(out, text));
        return this;
    }

    Cli awaitErr(String text) {
        await(text).atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> seen(err, text));
        return this;
    }

    private boolean seen(Tail tail, String text) {
        boolean ended = !process.isAlive();
        if (tail.text().contains(text)) {
            return true;
        }
        if (ended && tail.isComplete()) {
            throw new AssertionError("ended without '" + text + "': " + out() + err());
        }
        return false;
    }

    /** Keys on the terminal, or what it reads from its input. */
    Cli type(String keys) {
        try {
            OutputStream in = process.getOutputStream();
            in.write(keys.getBytes(StandardCharsets.UTF_8));
            in.flush();
            return this;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Nothing more will be typed. */
    Cli endInput() {
        try {
            process.getOutputStream().close();
            return this;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The process of the command itself, also if a terminal is around it. Waits for it. */
    long pid() {
        return await("the command's process")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .until(this::find, found -> found > 0);
    }

    private long find() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .filter(each -> each.info().command().orElse("").endsWith("/java"))
                .mapToLong(ProcessHandle::pid)
                .findFirst()
                .orElse(0);
    }

    /** Sends a signal to the command alone: {@code TERM}, {@code KILL} … */
    Cli signal(String name) {
        signal(name, pid());
        return this;
    }

    static void signal(String name, long pid) {
        try {
            int code = new ProcessBuilder("sh", "-c", "kill -s " + name + " -- " + pid)
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new AssertionError("no process " + pid + " for a " + name);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    @Override
    public void close() {
        List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
        all.forEach(ProcessHandle::destroyForcibly);
        Outputs.awaitEnded(all.stream().mapToLong(ProcessHandle::pid).toArray());
    }

    /** Collects what a stream says, so that its writer never waits. */
    private static final class Tail {
        private static final Duration LAST_WORDS = Duration.ofSeconds(2);

        private final ByteArrayOutputStream seen = new ByteArrayOutputStream();
        private final Thread reader;

        Tail(InputStream stream) {
            reader = new Thread(() -> copy(stream), "cli-output");
            reader.setDaemon(true);
            reader.start();
        }

        private void copy(InputStream stream) {
            byte[] buffer = new byte[8192];
            try {
                for (int n = stream.read(buffer); n >= 0; n = stream.read(buffer)) {
                    seen.write(buffer, 0, n);
                }
            } catch (IOException closed) {
                seen.writeBytes(new byte[0]); // it was ended by force: what it said until then counts
            }
        }

        void join() throws InterruptedException {
            reader.join(LAST_WORDS.toMillis());
        }

        boolean isComplete() {
            return !reader.isAlive();
        }

        byte[] bytes() {
            return seen.toByteArray();
        }

        String text() {
            return seen.toString(StandardCharsets.UTF_8);
        }
    }
}
