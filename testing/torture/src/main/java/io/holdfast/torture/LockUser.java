package io.holdfast.torture;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.MultiLock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/**
 * Takes locks through {@link Lock}, as code does that was written for one JVM: it asks for the lock by its name each
 * time and keeps nothing, locks again what it holds, and unlocks only if it still holds. A lock that was lost may not
 * be in the way of the next one.
 */
final class LockUser {
    private static final long IMPATIENCE_MILLIS = 50;
    private static final long PATIENCE_SECONDS = 30;
    private static final long NOTICED_NANOS = Duration.ofMillis(500).toNanos();

    /** Two at once, with a lease that may end while the second one is waited for. */
    private static final List<Subject> BOTH = List.of(Subject.FIXED, Subject.QUIET);

    private static final LockOptions BRIEF = LockOptions.defaults().fixedLease(Duration.ofMillis(800));

    private final LockClient client;
    private final EventLog log;
    private final String name;
    private final Duration longestLease;
    private final LossLog losses;
    private final Rng rng;

    LockUser(LockClient client, EventLog log, String name, Duration longestLease, LossLog losses, Rng rng) {
        this.client = client;
        this.log = log;
        this.name = name;
        this.longestLease = longestLease;
        this.losses = losses;
        this.rng = rng;
    }

    /** Never kept, so that garbage collection may take it at any time. */
    private DistributedLock lock(Subject subject) {
        return client.lock(subject.name(), subject.options(longestLease));
    }

    void once(Subject subject, FenceClient fence) throws IOException {
        boolean both = BOTH.contains(subject) && rng.chance(30);
        log.write('W', System.nanoTime(), name, subject);
        try {
            if (!take(both ? multi() : lock(subject))) {
                log.write('N', System.nanoTime(), name, subject, "busy");
                return;
            }
            long takenNanos = System.nanoTime();
            try {
                if (both) {
                    holdBoth(subject, takenNanos);
                } else {
                    hold(subject, fence);
                }
            } finally {
                giveBack(both ? BOTH : List.of(subject), both);
            }
            Thread.sleep(rng.below(4));
        } catch (LockLostException e) {
            complain(subject + ": a lock that was not held yet was refused with " + e);
        } catch (LockStoreException e) {
            log.write('N', System.nanoTime(), name, subject, e.getClass().getSimpleName());
            Toil.mention(e);
        } catch (InterruptedException e) {
            log.write('N', System.nanoTime(), name, subject, "interrupted");
            Thread.currentThread().interrupt();
        }
    }

    private MultiLock multi() {
        return client.allOf(BOTH.stream().map(Subject::name).toList(), BRIEF);
    }

    private boolean take(Lock lock) throws InterruptedException {
        int draw = rng.below(100);
        if (draw < 15) {
            return lock.tryLock();
        } else if (draw < 25) {
            return lock.tryLock(IMPATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } else if (draw < 60) {
            return lock.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
        lock.lockInterruptibly();
        return true;
    }

    private void hold(Subject subject, FenceClient fence) throws IOException {
        LeaseWatch watch = begin(subject, name, leaseOf(subject));
        if (watch == null) {
            log.write('N', System.nanoTime(), name, subject, "over");
            return;
        }
        Toil.add(log, name, subject, watch, fence, Toil.workMillis(subject, rng));
        log.write('E', watch.end(), name, subject, watch.lease().token());
        if (rng.chance(30)) {
            reenter(subject, watch.lease());
        }
    }

    private @org.jspecify.annotations.Nullable Lease leaseOf(Subject subject) {
        try {
            return lock(subject).lease();
        } catch (IllegalMonitorStateException lost) {
            return null;
        }
    }

    private @org.jspecify.annotations.Nullable LeaseWatch begin(
            Subject subject, String thread, @org.jspecify.annotations.Nullable Lease lease) {
        if (lease == null) {
            return null;
        }
        LeaseWatch watch = new LeaseWatch(lease);
        if (watch.isOver()) {
            return null;
        }
        log.write('A', watch.startNanos(), thread, subject, 1, lease.token(), watch.deadlineNanos());
        return watch;
    }

    /** Once the loss was told, the same lease is not entered again: either that is refused, or it is another one. */
    private void reenter(Subject subject, Lease lease) {
        boolean told = lease.lost().toCompletableFuture().isDone();
        try {
            if (!lock(subject).tryLock()) {
                return;
            }
        } catch (LockLostException refused) {
            return;
        }
        Lease now = leaseOf(subject);
        if (now == null) {
            return;
        }
        if (now.token() != lease.token()) {
            LeaseWatch watch = begin(subject, name, now);
            if (watch != null) {
                log.write('E', watch.end(), name, subject, now.token());
            }
        } else if (told) {
            complain(subject + " was entered again after its loss was told");
        }
        unlock(subject, now);
    }

    /** Both were valid when the call came back. */
    private void holdBoth(Subject first, long takenNanos) {
        List<LeaseWatch> watches = new ArrayList<>();
        for (Subject subject : BOTH) {
            Lease lease = leaseOf(subject);
            if (lease != null && losses.wasTold(subject, lease.token(), takenNanos - NOTICED_NANOS)) {
                complain(subject + " was lost long before both were handed out");
            }
            LeaseWatch watch = begin(subject, thread(subject, first), lease);
            if (watch != null) {
                watches.add(watch);
            } else if (subject == first) {
                log.write('N', System.nanoTime(), name, subject, "over");
            }
        }
        watches.forEach(watch -> watch.during(rng.below(5)));
        for (LeaseWatch watch : watches) {
            Subject subject = Subject.valueOf(watch.lease().name());
            log.write(
                    'E',
                    watch.end(),
                    thread(subject, first),
                    subject,
                    watch.lease().token());
        }
    }

    private String thread(Subject subject, Subject first) {
        return subject == first ? name : name + "-" + subject;
    }

    private void giveBack(List<Subject> subjects, boolean both) {
        if (both && rng.chance(50)) {
            try {
                multi().unlock();
            } catch (LockLostException | IllegalMonitorStateException lost) {
                // One of them was.
            }
        }
        for (Subject subject : subjects) {
            Lease lease = leaseOf(subject);
            if (lease != null) {
                unlock(subject, lease);
            }
            if (lock(subject).isHeldByCurrentThread()) {
                complain(subject + " is held after it was unlocked");
            }
        }
    }

    /** Half of the users ask first, and do nothing about a lock that is lost. */
    private void unlock(Subject subject, Lease lease) {
        boolean told = lease.lost().toCompletableFuture().isDone();
        if (rng.chance(50) && !lock(subject).isHeldByCurrentThread()) {
            return;
        }
        try {
            lock(subject).unlock();
            if (told) {
                complain(subject + " was unlocked without a word after its loss was told");
            }
        } catch (LockLostException | IllegalMonitorStateException lost) {
            // As it should be.
        }
    }

    private void complain(String text) {
        log.write('L', System.nanoTime(), name + " " + text);
    }
}
