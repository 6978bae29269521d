package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a call without a thread borrows from calls around it. */
class AttemptTest {
    private final AtomicInteger closed = new AtomicInteger();

    private Holding holding(LockClient client, String name, Runnable whenAsked) {
        Lease lease = (Lease) Proxy.newProxyInstance(
                Lease.class.getClassLoader(),
                new Class<?>[] {Lease.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "name" -> name;
                    case "hashCode" -> name.hashCode();
                    case "equals" -> proxy == arguments[0];
                    case "ensureValid" -> {
                        whenAsked.run();
                        yield null;
                    }
                    case "close" -> closed.incrementAndGet();
                    default -> throw new AssertionError(method);
                });
        return new Holding(client.id(), LockRules.USUAL, List.of(lease));
    }

    @Test
    void oneOfTwo_isGivenBackAtThisMoment_theOtherIsNotHeldForEver() {
        try (TestLocks locks = new TestLocks(TestLocks.Breakable.class)) {
            LockClient client = locks.bean(LockClient.class);
            Holding first = holding(client, "a", () -> {});
            List<Holding> leaving = new ArrayList<>();
            Holding second = holding(client, "b", () -> leaving.forEach(Holding::release));
            leaving.add(second);

            assertThatThrownBy(() -> new Attempt(
                            locks.bean(LocksContext.class), LockRules.USUAL, List.of("a", "b"), List.of(first, second)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("[a, b]");
            assertThat(closed).hasValue(1);
            first.release();
            assertThat(closed).as("the call around was the last user").hasValue(2);
        }
    }
}
