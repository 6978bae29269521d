package io.holdfast.spring.boot.test;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.EventConditions.test;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.instanceOf;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** A lock left behind fails the test that left it, and no other. */
class LeftBehindTest {

    @Test
    void lock_leftBehind_failsThatTestOnly() {
        EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(Forgetful.class))
                .execute()
                .testEvents()
                .assertStatistics(counts -> counts.started(2).succeeded(1).failed(1))
                .assertThatEvents()
                .haveExactly(
                        1,
                        event(
                                test("first_forgets"),
                                finishedWithFailure(
                                        instanceOf(AssertionError.class),
                                        message(text -> text.startsWith(
                                                "the application left locks behind: LOCK 'order:1'")))));
    }

    /** Not found by itself: it is no test of ours. */
    @SpringBootTest(classes = AutoConfigureHoldfastTest.Application.class)
    @AutoConfigureHoldfast
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class Forgetful {
        @Autowired
        private LockClient locks;

        @Test
        void first_forgets() {
            Lease lease = locks.lock("order:1").acquire();
            lease.ensureValid();
        }

        @Test
        void second_findsItFree() {
            locks.lock("order:1").tryAcquire().orElseThrow().close();
        }
    }
}
