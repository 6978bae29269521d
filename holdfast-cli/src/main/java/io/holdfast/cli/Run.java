package io.holdfast.cli;

import io.holdfast.Acquirable;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.LockException;
import io.holdfast.LockOptions;
import io.holdfast.LockRefusedException;
import io.holdfast.LostReason;
import io.holdfast.cli.process.Job;
import io.holdfast.cli.process.Signals;
import io.holdfast.cli.screen.Screen;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One run: wait, start, and then whichever comes first, the end of the command or the loss of the lock. */
record Run(
        Remarks remarks,
        LockClient locks,
        Wanted wanted,
        CommandWords asked,
        LockOptions options,
        Duration grace,
        Map<String, String> environment) {
    private static final int MILLIS_DIGITS = 3;
    private static final int STDERR = 2;

    /** Returns the exit code. */
    int call(@Nullable Duration wait) throws IOException {
        AtomicReference<@Nullable Lease> held = new AtomicReference<>();
        Job job = Job.prepare(grace, () -> noticeLoss(held.get()));
        if (wait == null || !wait.isZero()) {
            tellWhyWeWait();
        }
        Optional<Lease> lease;
        try {
            lease = acquire(wait);
        } catch (InterruptedException signalled) {
            return endedBy(job);
        }
        if (lease.isEmpty()) {
            remarks.say(quotedName() + " is busy" + holders());
            return ExitCodes.BUSY;
        }
        held.set(lease.get());
        int code = under(lease.get(), job);
        release(lease.get());
        return code;
    }

    /** Who slept for too long notices it at the first question. */
    private static void noticeLoss(@Nullable Lease lease) {
        if (lease != null) {
            lease.isValid();
        }
    }

    private static int endedBy(Job job) {
        return ExitCodes.SIGNAL + Signals.number(job.forbiddenBy().orElse("INT"));
    }

    private Optional<Lease> acquire(@Nullable Duration wait) throws InterruptedException {
        Acquirable<Lease> lock = wanted.opening().open(locks, asked.name(), options);
        return wait == null ? Optional.of(lock.acquireInterruptibly()) : lock.tryAcquire(wait);
    }

    /** A person who waits wants to know the holder; and a store that serves nobody is worth a line in any log. */
    private void tellWhyWeWait() {
        boolean watched = Screen.isTerminal(STDERR);
        locks.addListener(event -> {
            if (event instanceof LockEvent.Contended && watched) {
                CompletableFuture.runAsync(() -> remarks.say("waiting for " + quotedName() + holders()));
            } else if (event instanceof LockEvent.Obstructed obstructed) {
                String what = obstructed.cause() instanceof LockRefusedException
                        ? "waiting: "
                        : "waiting for the store, at most " + DurationConverter.shown(options.waitThroughOutages())
                                + ": ";
                remarks.say(what
                        + Statuses.visible(String.valueOf(obstructed.cause().getMessage())));
            }
        });
    }

    private String quotedName() {
        return "'" + Statuses.visible(asked.name()) + "'";
    }

    private String holders() {
        try {
            return locks.inspector()
                    .find(wanted.kind(), asked.name())
                    .map(status -> ", " + Holders.text(status))
                    .orElse("");
        } catch (LockException | IllegalStateException unknown) {
            return ""; // that it is busy is known; the holder is a courtesy
        }
    }

    private int under(Lease lease, Job job) {
        CompletableFuture<LostReason> lost = lease.lost().toCompletableFuture();
        lease.onAtRisk(() -> remarks.say(quotedName() + " could not be renewed; it is lost in "
                + DurationConverter.shown(lease.remaining()) + " unless the store answers again"));
        if (!lease.isValid()) {
            return lost(lost, "the command was not started");
        }
        Optional<CompletableFuture<Integer>> end = start(lease, job);
        if (end.isEmpty()) {
            Thread.interrupted(); // the signal's; it has done its work, and the release is not to be disturbed
            return endedBy(job);
        }
        CompletableFuture.anyOf(end.get(), lost).join();
        // Nobody may have noticed yet: this machine may have slept while the command ran.
        if (!lost.isDone() && lease.isValid()) {
            job.dismiss();
            return end.get().join();
        }
        int code = lost(lost, end.get().isDone() ? "the command has ended" : "ending the command");
        job.stop();
        job.dismiss();
        return code;
    }

    private int lost(CompletableFuture<LostReason> lost, String consequence) {
        remarks.say("lost " + quotedName() + ": " + why(reason(lost)) + "; " + consequence);
        return ExitCodes.LOST;
    }

    private Optional<CompletableFuture<Integer>> start(Lease lease, Job job) {
        ProcessBuilder command = new ProcessBuilder(asked.command()).inheritIO();
        command.environment().putAll(exported(lease));
        restoreLocale(command.environment());
        try {
            return job.start(command);
        } catch (IOException failure) {
            release(lease);
            throw new CommandException(
                    ExitCodes.NOT_EXECUTABLE, "the command cannot be run: " + failure.getMessage(), failure);
        }
    }

    /** The launcher starts us in UTF-8, and keeps what was there before. */
    private static void restoreLocale(Map<String, String> environment) {
        String before = environment.remove("HOLDFAST_LC_ALL");
        if ("unset".equals(before)) {
            environment.remove("LC_ALL");
        } else if (before != null) {
            environment.put("LC_ALL", before);
        }
    }

    private Map<String, String> exported(Lease lease) {
        DateTimeFormatter utc =
                new DateTimeFormatterBuilder().appendInstant(MILLIS_DIGITS).toFormatter();
        Map<String, String> exported = new HashMap<>(environment);
        exported.put("HOLDFAST_NAME", asked.name());
        exported.put("HOLDFAST_TOKEN", String.valueOf(lease.token()));
        exported.put("HOLDFAST_LEASE_UNTIL", utc.format(Instant.now().plus(lease.remaining())));
        return exported;
    }

    /** A loss that we noticed ourselves is told by the client a moment later. */
    private static LostReason reason(CompletableFuture<LostReason> lost) {
        return lost.completeOnTimeout(LostReason.EXPIRED, 1, TimeUnit.SECONDS).join();
    }

    private static String why(LostReason reason) {
        return switch (reason) {
            case FORGOTTEN -> "somebody took it away, or the store forgot it";
            case STORE_UNREACHABLE -> "the store did not answer until the lease ended";
            case EXPIRED -> "the lease ended while this process, or the machine, stood still";
            case MAX_HOLD, OWNER_DIED -> reason.toString();
        };
    }

    /** Closing never complains, so the store is asked whether it is done. */
    private void release(Lease lease) {
        boolean held = lease.isValid();
        lease.close();
        if (held) {
            try {
                locks.inspector().find(wanted.kind(), asked.name());
            } catch (LockException trouble) {
                remarks.say(quotedName() + " could not be given back and ends by itself within "
                        + DurationConverter.shown(options.lease()) + ": "
                        + Statuses.visible(String.valueOf(trouble.getMessage())));
            }
        }
    }
}
