package io.holdfast.testing.modules;

import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.spring.EnableLocks;
import io.holdfast.spring.Locked;
import io.holdfast.spring.leader.EnableLeaders;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application of Spring that is a module: a method under a lock, and an election that is switched on. */
final class SpringProgram {
    private SpringProgram() {}

    /** What is locked. */
    public interface Orders {
        String ship();
    }

    /** Says whether it is called under its lock. */
    static class LockedOrders implements Orders {
        private final LockClient locks;

        LockedOrders(LockClient locks) {
            this.locks = locks;
        }

        @Override
        @Locked("order:42")
        public String ship() {
            return "held: " + locks.inspector().find(LockKind.LOCK, "order:42").isPresent();
        }
    }

    /** The beans. */
    @Configuration(proxyBeanMethods = false)
    @EnableLocks
    @EnableLeaders
    static class Application {
        @Bean
        LockClient locks() {
            return MemoryLocks.create();
        }

        @Bean
        Orders orders(LockClient locks) {
            return new LockedOrders(locks);
        }
    }

    static String ship() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Application.class)) {
            return context.getBean(Orders.class).ship();
        }
    }
}
