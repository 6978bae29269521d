package io.holdfast.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockLostException;
import io.holdfast.spring.LockBusyException;
import io.holdfast.spring.LockOperations;
import io.holdfast.spring.LockedJob;
import java.time.Duration;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@SpringBootTest(properties = "holdfast.store=redis")
@AutoConfigureHoldfast
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AutoConfigureHoldfastTest {
    @Autowired
    private HoldfastTester tester;

    @Autowired
    private LockClient locks;

    @Autowired
    private LockOperations operations;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        Reports reports() {
            return new Reports();
        }
    }

    static class Reports {
        @LockedJob(value = "report", atLeastFor = "1m")
        public void report() {
            // quick: the lock stays taken for its least time
        }
    }

    @Test
    @Order(1)
    void hold_elsewhere_isBusyHere() {
        Lease lease = tester.hold("order:1");
        assertThat(lease.isValid()).isTrue();
        assertThat(locks.lock("order:1").tryAcquire()).isEmpty();
        assertThatExceptionOfType(LockBusyException.class)
                .isThrownBy(() -> operations.waitFor(Duration.ZERO).run("order:1", () -> {}));
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> tester.assertFree("order:1"))
                .withMessageContaining("held by [another process");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> tester.assertHeld("order:1"))
                .withMessageContaining("is not held by the application");
    }

    @Test
    @Order(2)
    void store_afterTheMethodBefore_isEmpty() {
        tester.assertFree("order:1");
    }

    @Test
    @Order(3)
    void assertHeld_whileTheApplicationHolds_isFine() {
        operations.run("order:1", () -> tester.assertHeld("order:1"));
        tester.assertFree("order:1");
    }

    @Test
    @Order(4)
    void lose_whileTheApplicationHolds_isTold() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> operations.run("order:1", () -> tester.lose("order:1")));
    }

    @Test
    @Order(5)
    void lose_whatNobodyHolds_isAnError() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> tester.lose("order:1"))
                .withMessage("lock 'order:1' cannot be lost: nobody holds it");
    }

    @Test
    @Order(6)
    void job_withALeastTime_leavesNothingBehind(@Autowired Reports reports) {
        reports.report();
        tester.assertHeld("report");
    }

    @Test
    @Order(7)
    void leastTime_ofTheMethodBefore_isOver() {
        tester.assertFree("report");
    }
}
