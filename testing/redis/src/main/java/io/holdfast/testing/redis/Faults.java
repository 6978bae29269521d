package io.holdfast.testing.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * What a {@link FaultProxy} is to do now, and what it has done. All connections share one.
 *
 * <p>Guarded by its own monitor, except for the counters; waiting for a release gives the monitor up.
 */
final class Faults {
    final AtomicLong requests = new AtomicLong();
    final AtomicLong replies = new AtomicLong();
    final AtomicLong swallowedRequests = new AtomicLong();
    final AtomicLong swallowedReplies = new AtomicLong();
    final AtomicLong heldRequests = new AtomicLong();

    private Duration requestDelay = Duration.ZERO;
    private Duration replyDelay = Duration.ZERO;
    private boolean requestsCut;
    private boolean repliesCut;
    private boolean halfOpen;
    private boolean refusing;
    private long repliesToDrop;
    private boolean closingAfterDrop;
    private Predicate<List<String>> dropped = Faults::none;
    private Predicate<List<String>> held = Faults::none;
    private long holdRound;
    private int holding;
    private Predicate<List<String>> captured = Faults::none;
    private List<byte[]> captures = new ArrayList<>();

    private static boolean none(List<String> request) {
        return false;
    }

    synchronized Duration requestDelay() {
        return requestDelay;
    }

    synchronized Duration replyDelay() {
        return replyDelay;
    }

    synchronized boolean isRequestsCut() {
        return requestsCut || halfOpen;
    }

    synchronized boolean isRepliesCut() {
        return repliesCut || halfOpen;
    }

    synchronized boolean isHalfOpen() {
        return halfOpen;
    }

    synchronized boolean isRefusing() {
        return refusing;
    }

    synchronized void delayRequests(Duration delay) {
        requestDelay = delay;
    }

    synchronized void delayReplies(Duration delay) {
        replyDelay = delay;
    }

    synchronized void cutRequests() {
        requestsCut = true;
    }

    synchronized void cutReplies() {
        repliesCut = true;
    }

    synchronized void halfOpen() {
        halfOpen = true;
    }

    synchronized void refuse() {
        refusing = true;
    }

    synchronized void drop(int count, Predicate<List<String>> which, boolean thenClose) {
        repliesToDrop = count;
        dropped = which;
        closingAfterDrop = thenClose;
    }

    synchronized void hold(Predicate<List<String>> which) {
        held = which;
    }

    synchronized int holding() {
        return holding;
    }

    /** Lets go what is held now, and holds nothing more. */
    synchronized void release() {
        held = Faults::none;
        holdRound++;
        notifyAll();
    }

    synchronized void capture(Predicate<List<String>> which) {
        captured = which;
    }

    synchronized int captures() {
        return captures.size();
    }

    synchronized List<byte[]> takeCaptures() {
        List<byte[]> taken = captures;
        captures = new ArrayList<>();
        return taken;
    }

    synchronized void heal() {
        requestDelay = Duration.ZERO;
        replyDelay = Duration.ZERO;
        requestsCut = false;
        repliesCut = false;
        halfOpen = false;
        refusing = false;
        repliesToDrop = 0;
        captured = Faults::none;
        release();
    }

    /** Called with every request that is about to go on; returns once it may. */
    synchronized void pass(RespFrame frame) throws InterruptedException {
        List<String> request = frame.words();
        if (captured.test(request)) {
            captures.add(frame.bytes());
        }
        if (held.test(request)) {
            long round = holdRound;
            holding++;
            heldRequests.incrementAndGet();
            try {
                while (round == holdRound) {
                    wait();
                }
            } finally {
                holding--;
            }
        }
    }

    /** Is the reply to this request one of those to be lost? */
    synchronized boolean takeDrop(List<String> request) {
        if (repliesToDrop > 0 && dropped.test(request)) {
            repliesToDrop--;
            return true;
        }
        return false;
    }

    synchronized boolean isClosingAfterDrop() {
        return closingAfterDrop;
    }
}
