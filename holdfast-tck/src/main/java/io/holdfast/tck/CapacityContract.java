package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Resource;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * The rules of {@code LockBackend} for capacities: they belong to the name, and a claim of weight zero waits for a full
 * one.
 *
 * @since 0.1
 */
public abstract class CapacityContract extends Contract {

    /** For subclasses. */
    protected CapacityContract() {}

    private Duration longLease() {
        return defaults().lease();
    }

    private static boolean isGranted(AttemptResult result) {
        return result instanceof AttemptResult.Granted;
    }

    @Test
    void attempt_anotherCapacityInUse_isMismatchedAndChangesNothing() {
        RawClient client = rawClient();
        RawClient other = rawClient();
        Resource three = new Resource(LockKind.SEMAPHORE, name("capacity"), 3);
        Resource five = new Resource(LockKind.SEMAPHORE, three.name(), 5);
        Claim held = client.claim(three, 1, longLease());
        client.grant(held);

        for (boolean waits : new boolean[] {true, false}) {
            assertThat(other.attempt(other.claim(five, 1, longLease(), 1, waits)))
                    .isEqualTo(new AttemptResult.Mismatched(3));
        }

        assertThat(observer().look(three).resource()).isEqualTo(three);
        assertThat(observer().look(three).holders()).hasSize(1);
        assertThat(observer().look(three).waiting()).isEmpty();
        assertThat(client.release(held)).isTrue();
    }

    @Test
    void inspect_anotherCapacity_isIgnored() {
        RawClient client = rawClient();
        Resource three = new Resource(LockKind.SEMAPHORE, name("capacity"), 3);
        client.grant(client.claim(three, 2, longLease()));
        assertThat(observer()
                        .look(new Resource(LockKind.SEMAPHORE, three.name(), 99))
                        .resource())
                .isEqualTo(three);
    }

    @Test
    void weightZero_notFull_waitsWithoutStandingInTheWay() {
        RawClient client = rawClient();
        RawClient other = rawClient();
        Resource latch = new Resource(LockKind.LATCH, name("latch"), 2);
        Claim awaiting = other.claim(latch, 0, longLease());
        assertThat(isGranted(other.attempt(awaiting))).as("nobody arrived").isFalse();

        client.grant(client.claim(latch, 1, longLease(), 1, false));
        assertThat(isGranted(other.attempt(awaiting))).as("one arrived").isFalse();
        client.grant(client.claim(latch, 1, longLease(), 1, false));

        assertThat(isGranted(other.attempt(awaiting))).as("all arrived").isTrue();
        assertThat(isGranted(client.attempt(client.claim(latch, 0, longLease(), 1, false))))
                .as("all arrived, without waiting")
                .isTrue();
        assertThat(client.attempt(client.claim(latch, 1, longLease(), 1, false)))
                .as("one too many")
                .isInstanceOf(AttemptResult.Busy.class);
    }

    @Test
    void weightZero_notFullAndNotWaiting_isBusy() {
        RawClient client = rawClient();
        Resource latch = new Resource(LockKind.LATCH, name("latch"), 2);
        assertThat(client.attempt(client.claim(latch, 0, longLease(), 1, false)))
                .isInstanceOf(AttemptResult.Busy.class);
        client.grant(client.claim(latch, 1, longLease(), 1, false));
        assertThat(client.attempt(client.claim(latch, 0, longLease(), 1, false)))
                .isInstanceOf(AttemptResult.Busy.class);
    }

    @Test
    void weightZero_severalWait_allAreToldWhenFull() {
        RawClient client = rawClient();
        RawClient other = rawClient();
        Resource latch = new Resource(LockKind.LATCH, name("latch"), 1);
        Claim one = client.claim(latch, 0, longLease());
        Claim two = other.claim(latch, 0, longLease());
        AttemptResult first = client.attempt(one);
        AttemptResult second = other.attempt(two);
        assertThat(isGranted(first) || isGranted(second)).isFalse();

        client.grant(client.claim(latch, 1, longLease(), 1, false));

        if (first instanceof AttemptResult.Queued queued && queued.announced()) {
            soon("the first is told").until(() -> client.wasToldOf(one));
        }
        if (second instanceof AttemptResult.Queued queued && queued.announced()) {
            soon("the second is told").until(() -> other.wasToldOf(two));
        }
        assertThat(isGranted(client.attempt(one))).isTrue();
        assertThat(isGranted(other.attempt(two))).isTrue();
    }

    @Test
    void weightZero_released_doesNotCountAnybodyOut() {
        RawClient client = rawClient();
        Resource latch = new Resource(LockKind.LATCH, name("latch"), 1);
        Claim arrival = client.claim(latch, 1, longLease(), 1, false);
        client.grant(arrival);
        Claim awaiting = client.claim(latch, 0, longLease());
        client.grant(awaiting);

        client.release(awaiting);

        assertThat(isGranted(client.attempt(client.claim(latch, 0, longLease(), 1, false))))
                .as("still full")
                .isTrue();
        assertThat(client.attempt(client.claim(latch, 1, longLease(), 1, false)))
                .isInstanceOf(AttemptResult.Busy.class);
    }
}
