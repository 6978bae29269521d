package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.LockBackend;
import io.holdfast.spi.TimeSource;
import io.holdfast.testing.ForwardingBackend;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;

class AbilityTestsTest {

    /** A store that can nothing special. */
    private static class Poor extends AmnesiaContract {
        @Override
        protected BackendFixture newFixture() {
            return new StubFixture(false);
        }
    }

    /** A store that can everything. */
    private static final class Rich extends BackendContract {
        @Override
        protected BackendFixture newFixture() {
            return new StubFixture(true);
        }
    }

    /** One whose fixture cannot be made. */
    private static final class Broken extends BackendContract {
        @Override
        protected BackendFixture newFixture() {
            throw new IllegalStateException("no server");
        }
    }

    private record StubWire() implements Wire {
        @Override
        public LockBackend newBackend(TimeSource clocks) {
            throw new AssertionError("nobody connects to ask what a store can do");
        }

        @Override
        public void dropNextReply() {}

        @Override
        public void holdRequests(Duration time) {}

        @Override
        public long faults() {
            return 0;
        }
    }

    private record StubFixture(boolean able) implements BackendFixture {
        @Override
        public LockBackend newBackend(TimeSource clocks) {
            return new ForwardingBackend(new LittleStore(LittleStore.Whose.STORE).newBackend(clocks)) {
                @Override
                public boolean raisesTokens() {
                    return able;
                }
            };
        }

        @Override
        public Optional<Runnable> forgetEverything() {
            return able ? Optional.of(() -> {}) : Optional.empty();
        }

        @Override
        public boolean keepsLine() {
            return able;
        }

        @Override
        public Duration clockTolerance() {
            return able ? Duration.ofMinutes(1) : SkewedTime.MOST;
        }

        @Override
        public Optional<Wire> wire() {
            return able ? Optional.of(new StubWire()) : Optional.empty();
        }

        @Override
        public boolean announces() {
            return able;
        }

        @Override
        public boolean endsWithClient() {
            return !able;
        }

        @Override
        public void close() {}
    }

    private static long generated(Class<?> author, Class<?> contract, String test) throws Exception {
        Method method = contract.getDeclaredMethod(test);
        ExtensionContext outer = context(author, method, null);
        ExtensionContext nested = context(contract, method, outer);
        return new AbilityTests()
                .provideTestTemplateInvocationContexts(context(contract, method, nested))
                .map(each -> each.getDisplayName(1))
                .filter(test::equals)
                .count();
    }

    private static ExtensionContext context(Class<?> type, Method method, ExtensionContext parent) {
        return proxy(ExtensionContext.class, (proxy, called, arguments) -> switch (called.getName()) {
            case "getParent" -> Optional.ofNullable(parent);
            case "getTestClass" -> Optional.of(type);
            case "getRequiredTestClass" -> type;
            case "getRequiredTestMethod" -> method;
            case "getDisplayName" -> method.getName();
            case "getStore" -> store();
            default -> throw new AssertionError(called);
        });
    }

    @SuppressWarnings("unchecked") // computeIfAbsent(key, function, type)
    private static ExtensionContext.Store store() {
        return proxy(
                ExtensionContext.Store.class,
                (proxy, called, arguments) -> ((Function<Object, Object>) arguments[1]).apply(arguments[0]));
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static List<Long> generated(Class<?> author) throws Exception {
        return List.of(
                generated(author, LineContract.class, "attempt_held_takesAPlaceAndKeepsIt"),
                generated(author, LineContract.class, "release_waiterIsAnnounced_hearsOfIt"),
                generated(author, AmnesiaContract.class, "forget_held_isToldOnce"),
                generated(author, WireContract.class, "attempt_replyLost_sameClaimGetsTheSameTokenOnce"),
                generated(author, SkewContract.class, "start_clockIsTooWrong_isRefusedWithAReason"),
                generated(author, StoreContract.class, "close_twice_doesNothing"),
                generated(author, TokenContract.class, "leastToken_newGrant_isNotBelowIt"));
    }

    @Test
    void generate_storeHasTheAbility_thereIsOneTest() throws Exception {
        assertThat(generated(Rich.class)).containsOnly(1L);
    }

    @Test
    void generate_storeHasItNot_thereIsNone() throws Exception {
        assertThat(generated(Poor.class)).containsOnly(0L);
    }

    @Test
    void generate_fixtureCannotBeMade_saysWhatIsExpected() {
        assertThatThrownBy(() -> generated(Broken.class, AmnesiaContract.class, "forget_held_isToldOnce"))
                .hasMessageContaining("Broken")
                .hasMessageContaining("newFixture() must work after its @BeforeAll methods")
                .hasRootCauseMessage("no server");
    }
}
