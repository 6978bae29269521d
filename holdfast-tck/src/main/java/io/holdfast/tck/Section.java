package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A critical section that notices when it is entered by too many, in two independent ways: a plain counter loses
 * updates, and a count of those inside goes too high.
 */
final class Section {
    private final int most;
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger mostInside = new AtomicInteger();
    private final AtomicInteger passes = new AtomicInteger();
    private int plainCounter;

    /** Allows so many at a time. */
    Section(int most) {
        this.most = most;
    }

    /** Enters, looks around and leaves. */
    void pass() {
        pass(Thread::onSpinWait);
    }

    /** Enters, does something and leaves. */
    void pass(Runnable work) {
        int now = inside.incrementAndGet();
        mostInside.accumulateAndGet(now, Math::max);
        int before = plainCounter;
        work.run();
        plainCounter = before + 1;
        passes.incrementAndGet();
        inside.decrementAndGet();
    }

    /** The number of completed passes. */
    int passes() {
        return passes.get();
    }

    /** The highest number of threads that were inside together. */
    int mostInside() {
        return mostInside.get();
    }

    /** Fails if more than allowed were inside together, or an update was lost although only one is allowed. */
    void verify() {
        assertThat(passes.get()).as("passes through the section").isPositive();
        assertThat(mostInside.get()).as("threads inside together").isLessThanOrEqualTo(most);
        if (most == 1) {
            assertThat(plainCounter).as("plain counter after %s passes", passes).isEqualTo(passes.get());
        }
    }
}
