package io.holdfast.cli.process;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A command that may not run yet. Until it is started, a signal that asks us to end forbids the start and interrupts
 * the wait; from then on signals are passed on to it. When it is over, or was never started, a store that does not
 * answer does not keep us for long once we were asked to end.
 *
 * <p>Notes. The monitor decides between the two: a signal comes before the start, which then does not happen, or after
 * it, and is the command's. Signals come on a thread of the JVM, everything else on one thread.
 */
public final class Job {
    private static final Set<String> ENDING = Set.of("INT", "TERM", "HUP");
    private static final List<String> OTHERS = List.of("USR1", "USR2", "WINCH");

    /** Those that the terminal sends to everybody in front of it. */
    private static final Set<String> OF_THE_TERMINAL = Set.of("INT", "WINCH");

    private static final long STEP_MILLIS = 50;
    private static final Duration LAST_WAIT = Duration.ofSeconds(2);

    /** How long the store has to answer when we were asked to end and there is no command. */
    private static final Duration FAREWELL = Duration.ofSeconds(3);

    /** Two signals so close are one: {@code timeout}, for instance, sends to a process and to its group. */
    private static final Duration TOGETHER = Duration.ofMillis(500);

    private static final int SIGNALLED = 128;

    private final Thread waiter = Thread.currentThread();
    private final Duration grace;
    private final Guardian guardian;
    private final QuitKey quitKey = QuitKey.probe();
    private @Nullable String forbiddenBy;
    private @Nullable Process process;
    private boolean isOver;
    private OptionalLong askedAtNanos = OptionalLong.empty();

    private Job(Duration grace, Guardian guardian) {
        this.grace = grace;
        this.guardian = guardian;
    }

    /**
     * Gets ready: from here on signals are handled, and the guardian runs.
     *
     * @param grace how long the command has between TERM and KILL
     * @param continued what to do when this process was stopped and goes on
     */
    public static Job prepare(Duration grace, Runnable continued) throws IOException {
        Job job = new Job(grace, Guardian.start(grace));
        ENDING.forEach(name -> Signals.handle(name, job::hear));
        OTHERS.forEach(name -> Signals.handle(name, job::hear));
        Signals.handle("CONT", name -> {
            continued.run();
            job.hear(name);
        });
        Signals.handle("TSTP", name -> job.sleep(name, continued));
        return job;
    }

    /** Nobody renews while we are stopped. So a command that did not get the terminal's signal is stopped with us. */
    private synchronized void sleep(String signal, Runnable continued) {
        boolean together = process != null && !isOver && !ProcessTable.sharesTheForeground(process.pid());
        if (together) {
            guardian.sendAll("STOP");
        }
        try {
            Signals.obey(signal);
        } finally {
            continued.run();
            if (together) {
                guardian.sendAll("CONT");
            }
        }
    }

    private synchronized void hear(String signal) {
        if (process != null && !isOver) {
            boolean heardAlready = OF_THE_TERMINAL.contains(signal) && ProcessTable.sharesTheForeground(process.pid());
            if (process.isAlive() && !heardAlready) {
                pass(signal, process);
            }
        } else if (ENDING.contains(signal)) {
            end(signal);
        }
    }

    /**
     * The first one lets us leave in good order, if that does not take too long. Whoever asks again does not want to
     * wait for it.
     */
    private void end(String signal) {
        long now = System.nanoTime();
        if (askedAtNanos.isPresent()) {
            if (now - askedAtNanos.getAsLong() >= TOGETHER.toNanos()) {
                halt(signal);
            }
            return;
        }
        askedAtNanos = OptionalLong.of(now);
        CompletableFuture.delayedExecutor(FAREWELL.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> halt(signal));
        if (process == null) {
            forbiddenBy = signal;
            waiter.interrupt();
        }
    }

    private static void halt(String signal) {
        Runtime.getRuntime().halt(SIGNALLED + Signals.number(signal));
    }

    /** Java itself can send TERM, which is better than nothing where no guardian can be started. */
    private void pass(String signal, Process command) {
        if (!guardian.send(signal, command.pid()) && ENDING.contains(signal)) {
            command.destroy();
        }
    }

    /** The signal that came before the command was started. */
    public synchronized Optional<String> forbiddenBy() {
        return Optional.ofNullable(forbiddenBy);
    }

    /**
     * Starts the command, guarded.
     *
     * @return completes with its exit code; empty if a signal came first
     */
    public synchronized Optional<CompletableFuture<Integer>> start(ProcessBuilder command) throws IOException {
        if (forbiddenBy != null) {
            return Optional.empty();
        }
        Process started = command.command(quitKey.unblock(command.command())).start();
        process = started;
        guardian.watch(started.pid());
        return Optional.of(started.onExit().thenApply(Process::exitValue));
    }

    /** Ends the command and its descendants: TERM, and after the grace KILL. Returns when nobody is left. */
    public void stop() {
        Process root = current();
        if (root == null) {
            return;
        }
        Set<ProcessHandle> known = new LinkedHashSet<>(List.of(root.toHandle()));
        grow(known);
        for (ProcessHandle each : known) {
            each.destroy();
            guardian.send("CONT", each.pid()); // a stopped process does not handle TERM
        }
        if (!await(known, grace, false)) {
            await(known, LAST_WAIT, true);
        }
    }

    private synchronized @Nullable Process current() {
        return process;
    }

    /** Descendants of one that has ended are nobody's; so they are remembered from when they were seen. */
    private static void grow(Set<ProcessHandle> known) {
        for (ProcessHandle each : List.copyOf(known)) {
            each.descendants().forEach(known::add);
        }
    }

    private static boolean await(Set<ProcessHandle> known, Duration patience, boolean kill) {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            grow(known);
            known.removeIf(ProcessTable::hasEnded);
            if (known.isEmpty()) {
                return true;
            }
            if (kill) {
                known.forEach(ProcessHandle::destroyForcibly);
            }
            if (System.nanoTime() - end >= 0) {
                return false;
            }
            pause();
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException("nobody interrupts this once the command runs", stopped);
        }
    }

    /** It is over: the guardian may go. */
    public synchronized void dismiss() {
        isOver = true;
        guardian.dismiss();
    }
}
