package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLatch;
import io.holdfast.LockClient;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A latch opens at its count, for everybody, for good.
 *
 * @since 0.1
 */
public abstract class LatchContract extends Contract {

    /** For subclasses. */
    protected LatchContract() {}

    @Test
    void countDown_severalClients_opensAtTheCount() throws InterruptedException {
        String name = name("boot");
        DistributedLatch one = client().latch(name, 3);
        DistributedLatch other = client().latch(name, 3);
        assertThat(one.name()).isEqualTo(name);
        assertThat(one.count()).isEqualTo(3);
        assertThat(one.await(Duration.ZERO)).isFalse();

        one.countDown();
        assertThat(other.count()).isEqualTo(2);
        other.countDown();
        assertThat(one.count()).isEqualTo(1);
        assertThat(other.await(Duration.ZERO)).isFalse();
        assertThat(other.await(millis(50))).isFalse();
        one.countDown();

        assertThat(one.count()).isZero();
        assertThat(other.count()).isZero();
        assertThat(one.await(Duration.ZERO)).isTrue();
        assertThat(other.await(patience())).isTrue();
        other.await();
        assertThat(stranger().latch(name, 3).awaitAsync())
                .succeedsWithin(patience().toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void countDown_openLatch_doesNothing() throws InterruptedException {
        DistributedLatch latch = client().latch(name("open"), 1);
        latch.countDown();
        latch.countDown();
        latch.countDown();
        assertThat(latch.count()).isZero();
        assertThat(latch.await(Duration.ZERO)).isTrue();
    }

    @Test
    void await_closedLatch_isFalseButNotBeforeTheTimeIsUp() throws InterruptedException {
        DistributedLatch latch = client().latch(name("closed"), 2);
        latch.countDown();
        long start = nanoTime();
        assertThat(latch.await(millis(80))).isFalse();
        assertThat(Duration.ofNanos(nanoTime() - start)).isGreaterThanOrEqualTo(millis(80));
        assertThat(latch.count()).isEqualTo(1);
    }

    @Test
    void await_threadsAndFutures_areAllReleasedByTheLastArrival() {
        String name = name("waiters");
        LockClient one = client();
        LockClient other = client();
        Crew.Hand<Boolean> thread =
                crew().run("thread", () -> one.latch(name, 2).await());
        Crew.Hand<Boolean> bounded =
                crew().ask("bounded", () -> other.latch(name, 2).await(patience()));
        CompletableFuture<Void> future = one.latch(name, 2).awaitAsync();
        CompletableFuture<Void> otherFuture = other.latch(name, 2).awaitAsync();
        stranger().latch(name, 2).countDown();
        always(
                "nobody goes through early",
                millis(150),
                () -> !thread.isDone() && !bounded.isDone() && !future.isDone() && !otherFuture.isDone());

        stranger().latch(name, 2).countDown();

        assertThat(thread.result()).isTrue();
        assertThat(bounded.result()).isTrue();
        assertThat(future).succeedsWithin(patience().toSeconds(), TimeUnit.SECONDS);
        assertThat(otherFuture).succeedsWithin(patience().toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void countDown_clientClosedAfterwards_staysCounted() {
        String name = name("departed");
        LockClient departing = client();
        departing.latch(name, 2).countDown();
        departing.close();
        assertThat(client().latch(name, 2).count()).isEqualTo(1);
    }

    @Test
    void countDown_manyAtOnce_countsEachOnce() {
        String name = name("crowd");
        int arrivals = 24;
        for (int c = 0; c < 3; c++) {
            LockClient client = client();
            for (int t = 0; t < 4; t++) {
                crew().run("arrival " + c + '.' + t, () -> {
                    client.latch(name, arrivals + 1).countDown();
                    client.latch(name, arrivals + 1).countDown();
                });
            }
        }
        crew().finish();
        assertThat(stranger().latch(name, arrivals + 1).count()).isEqualTo(1);
    }

    @Test
    void countDown_nameInUseWithAnotherCount_isRefusedNamingBoth() {
        String name = name("mismatch");
        client().latch(name, 17).countDown();
        DistributedLatch other = client().latch(name, 23);
        assertThatThrownBy(other::countDown)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("17")
                .hasMessageContaining("23");
        assertThatThrownBy(() -> other.await(millis(50)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("17")
                .hasMessageContaining("23");
        assertThat(client().latch(name, 17).count()).isEqualTo(16);
    }

    @Test
    void latch_withoutCount_isRefused() {
        LockClient client = client();
        assertThatThrownBy(() -> client.latch(name("none"), 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> client.latch(name("none"), -1)).isInstanceOf(IllegalArgumentException.class);
    }
}
