package io.holdfast.testing.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A JVM that runs one program: told by lines on its input, answering by lines on its output. It can be stopped and
 * killed as a whole.
 *
 * <p><b>Threads.</b> Output is read by one thread at a time; everything else is safe for any number of them.
 */
public final class JavaProcess {
    private static final Duration DEATH = Duration.ofSeconds(60);

    private final String name;
    private final Process process;
    private final BufferedReader out;

    private JavaProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        this.out = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * Starts a program with the Java of this JVM.
     *
     * @param name what messages call it
     * @param flags for the JVM, its memory for example
     * @param classPath where its classes are; {@code System.getProperty("java.class.path")} for those of this JVM
     * @param program has a main method
     * @param arguments for the program
     * @param errors the file for its standard error
     * @return the process, which may not have come to its main method yet
     */
    public static JavaProcess start(
            String name, List<String> flags, String classPath, Class<?> program, List<String> arguments, Path errors) {
        return program(name, program)
                .flags(flags)
                .classPath(classPath)
                .arguments(arguments)
                .errors(Redirect.to(errors.toFile()))
                .start();
    }

    /**
     * Describes a program that is to be started with the Java of this JVM, and with its class path.
     *
     * @param name what messages call it
     * @param program has a main method
     * @return starts it
     */
    public static Launch program(String name, Class<?> program) {
        return new Launch(name, program);
    }

    /** How a program is started. Changed and used by one thread. */
    public static final class Launch {
        private final String name;
        private final Class<?> program;
        private List<String> before = List.of();
        private List<String> flags = List.of();
        private String classPath = System.getProperty("java.class.path");
        private List<String> arguments = List.of();
        private Redirect errors = Redirect.INHERIT;

        private Launch(String name, Class<?> program) {
            this.name = name;
            this.program = program;
        }

        /**
         * Sets the command that starts the JVM, such as that of a {@link LimitedUser}.
         *
         * @param command what stands before {@code java}
         * @return this
         */
        public Launch under(List<String> command) {
            before = List.copyOf(command);
            return this;
        }

        /**
         * Sets the flags of the JVM.
         *
         * @param wanted its memory for example
         * @return this
         */
        public Launch flags(List<String> wanted) {
            flags = List.copyOf(wanted);
            return this;
        }

        /**
         * Sets where its classes are.
         *
         * @param wanted instead of the class path of this JVM
         * @return this
         */
        public Launch classPath(String wanted) {
            classPath = wanted;
            return this;
        }

        /**
         * Sets the arguments of the program.
         *
         * @param wanted for its main method
         * @return this
         */
        public Launch arguments(List<String> wanted) {
            arguments = List.copyOf(wanted);
            return this;
        }

        /**
         * Sets where its standard error goes.
         *
         * @param wanted instead of that of this JVM; {@link Redirect#PIPE} joins it with the standard output
         * @return this
         */
        public Launch errors(Redirect wanted) {
            errors = wanted;
            return this;
        }

        /**
         * Starts it.
         *
         * @return the process, which may not have come to its main method yet
         */
        public JavaProcess start() {
            List<String> command = new ArrayList<>(before);
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(flags);
            command.addAll(List.of("-cp", classPath, program.getName()));
            command.addAll(arguments);
            try {
                return new JavaProcess(
                        name,
                        new ProcessBuilder(command)
                                .redirectErrorStream(errors.equals(Redirect.PIPE))
                                .redirectError(errors)
                                .start());
            } catch (IOException e) {
                throw new UncheckedIOException("could not start " + name, e);
            }
        }
    }

    /** Returns its process id. */
    public long pid() {
        return process.pid();
    }

    /** Tells whether it runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Writes a line to its input.
     *
     * @param line without its end
     * @throws UncheckedIOException if the process is gone
     */
    public void tell(String line) {
        try {
            OutputStream in = process.getOutputStream();
            in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(name + " does not listen", e);
        }
    }

    /** Returns its output, for a caller that reads it itself. */
    public BufferedReader out() {
        return out;
    }

    /**
     * Reads its output in a thread of its own.
     *
     * @param line gets each line
     * @param end is run when there are no more
     */
    public void listen(Consumer<String> line, Runnable end) {
        Thread reader = new Thread(
                () -> {
                    try {
                        out.lines().forEach(line);
                    } catch (UncheckedIOException gone) {
                        // as good as the end
                    }
                    end.run();
                },
                "reads-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Waits for its end.
     *
     * @param patience for how long
     * @return false if it still runs
     */
    public boolean endsWithin(Duration patience) {
        try {
            return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + name + " ended", e);
        }
    }

    /** Returns how it ended. */
    public int exitCode() {
        return process.exitValue();
    }

    /** SIGKILL. Returns once it is gone. */
    public void kill() {
        process.destroyForcibly();
        if (!endsWithin(DEATH)) {
            throw new IllegalStateException(name + " does not die");
        }
    }

    /** SIGSTOP. */
    public void pause() {
        shell("kill -STOP " + pid());
    }

    /** SIGCONT. */
    public void resume() {
        shell("kill -CONT " + pid());
    }

    /**
     * SIGSTOP, and SIGCONT after some time. A process of its own sends both, so that the program goes on even if this
     * JVM is killed meanwhile.
     *
     * @param time for how long
     */
    public void pauseFor(Duration time) {
        String seconds = String.format(Locale.ROOT, "%d.%03d", time.toSeconds(), time.toMillisPart());
        shell("kill -STOP " + pid() + "; sleep " + seconds + "; kill -CONT " + pid());
    }

    private void shell(String script) {
        try {
            int exit = new ProcessBuilder("sh", "-c", script)
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.DISCARD)
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException(name + ": " + script + " ended with " + exit);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("could not signal " + name, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + name + " was signalled", e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
