package io.holdfast.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.jdbc.JdbcLocks;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;

/** With {@code replace = NONE} the locks are those of the application, in its database. */
@SpringBootTest(
        properties = {
            "holdfast.store=jdbc",
            "holdfast.jdbc.create-tables=true",
            "spring.datasource.url=jdbc:h2:mem:real;DB_CLOSE_DELAY=-1"
        })
@AutoConfigureHoldfast(replace = AutoConfigureHoldfast.Replace.NONE)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RealStoreTest {
    private static LockClient somebody;
    private static Lease theirs;

    @Autowired
    private HoldfastTester tester;

    @Autowired
    private LockClient locks;

    @Autowired
    private DataSource database;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @AfterAll
    static void leave() {
        theirs.close();
        somebody.close();
    }

    @Test
    @Order(1)
    void store_isTheRealOne() {
        somebody = JdbcLocks.over(database);
        theirs = somebody.lock("order:1").acquire();
        assertThat(locks.lock("order:1").tryAcquire()).isEmpty();
        tester.hold("order:2");
        assertThat(locks.lock("order:2").tryAcquire()).isEmpty();
    }

    @Test
    @Order(2)
    void methodBefore_leftOtherProcessesAlone() {
        assertThat(theirs.isValid()).isTrue();
        assertThat(locks.lock("order:1").tryAcquire()).isEmpty();
        tester.assertFree("order:2");
    }
}
