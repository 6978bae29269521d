package io.holdfast.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockClient;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.ContextConfiguration;

/** A slice knows nothing of locks, and needs no store; with the annotation it has them. */
class SlicesTest {

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OfSlices {}

    @Nested
    @JdbcTest
    @ContextConfiguration(classes = OfSlices.class)
    class Alone {

        @Test
        void slice_startsWithoutLocks(@Autowired ApplicationContext context) {
            assertThat(context.getBeansOfType(LockClient.class)).isEmpty();
        }
    }

    @Nested
    @JdbcTest
    @ContextConfiguration(classes = OfSlices.class)
    @AutoConfigureHoldfast
    class WithLocks {

        @Test
        void slice_thatAsksForThem_hasLocks(@Autowired LockClient locks) {
            assertThat(locks.lock("order:1").tryAcquire()).hasValueSatisfying(lease -> {
                assertThat(lease.isValid()).isTrue();
                lease.close();
            });
        }
    }
}
