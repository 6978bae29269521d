package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockLostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What can be chosen for work by hand. */
class LockOperationsTest {
    private TestLocks locks;
    private LockOperations operations;

    @BeforeEach
    void start() {
        locks = new TestLocks(AttributesTest.Clients.class);
        operations = locks.bean(LockOperations.class).waitFor(Duration.ZERO);
    }

    @AfterEach
    void stop() {
        locks.close();
    }

    @Test
    void kinds_readersShare_writersDoNot_permitsAreCounted() {
        LockOperations reading = operations.kind(Locked.Kind.READ);
        boolean both = reading.call("doc", () -> TestLocks.elsewhere(() -> reading.tryRun("doc", () -> {})));
        boolean writer = reading.call(
                "doc",
                () -> TestLocks.elsewhere(
                        () -> operations.kind(Locked.Kind.WRITE).tryRun("doc", () -> {})));
        LockOperations two = operations.permits(2);
        boolean third = two.call(
                "export",
                () -> TestLocks.elsewhere(() ->
                        two.call("export", () -> TestLocks.elsewhere(() -> two.tryRun("export", () -> {})))));

        assertThat(both).isTrue();
        assertThat(writer).isFalse();
        assertThat(third).isFalse();
    }

    @Test
    void options_reachTheClient() {
        operations
                .client("watched")
                .options(options -> options.lease(Duration.ofSeconds(7)).label("by hand"))
                .run("a", () -> {});

        assertThat(locks.bean(WatchedClient.class).asked("lock").get(0).arguments())
                .contains(locks.bean(io.holdfast.LockClient.class)
                        .defaults()
                        .lease(Duration.ofSeconds(7))
                        .label("by hand"));
    }

    @Test
    void atLeastFor_staysTaken() {
        operations.atLeastFor(Duration.ofMinutes(1)).run("a", () -> {});

        assertThat(locks.isFree("a")).isFalse();
    }

    @Test
    void lost_interrupts_andLeavesNoFlag() {
        assertThatThrownBy(() -> operations.onLost(Locked.OnLost.INTERRUPT).run("a", () -> {
                    locks.lose("a");
                    new CountDownLatch(1).await();
                }))
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.getSuppressed())
                                .singleElement()
                                .isInstanceOf(InterruptedException.class));
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void waitForever_waitsUntilItIsFree() {
        Lease other = locks.elsewhere().lock("a").acquire();
        var waiting = TestLocks.begin(() -> operations.waitForever().call("a", () -> "done"));
        await().until(() -> locks.elsewhere()
                        .inspector()
                        .find(io.holdfast.LockKind.LOCK, "a")
                        .orElseThrow()
                        .waiting()
                == 1);
        other.close();
        assertThat(waiting.join()).isEqualTo("done");
    }

    @Test
    void whatCannotBe_isRefused() {
        assertThatThrownBy(() -> operations.kind(Locked.Kind.PERMIT)).hasMessageContaining("permits(…)");
        assertThatThrownBy(() -> operations.permits(0)).hasMessageContaining("permits is 0");
        assertThatThrownBy(() -> operations.waitFor(Duration.ofSeconds(-1))).hasMessageContaining("waitFor is -1s");
        assertThatThrownBy(() -> operations.run(List.of(), () -> {})).isInstanceOf(IllegalArgumentException.class);
    }
}
