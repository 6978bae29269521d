package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;

/** What is wrong with a {@link Locked} method fails the start, and says what is possible. */
class StartChecksTest {
    public record Order(String id) {}

    static class UnknownParameter {
        @Locked("order:{ordr.id}")
        public void ship(Order order) {}
    }

    static class UnknownProperty {
        @Locked("order:{order.number}")
        public void ship(Order order) {}
    }

    static class NoBrace {
        @Locked("order:{order.id")
        public void ship(Order order) {}
    }

    static class CallsMethod {
        @Locked("order:{order.id.trim()}")
        public void ship(Order order) {}
    }

    static class NamesType {
        @Locked("order:{T(java.lang.Runtime).getRuntime()}")
        public void ship(Order order) {}
    }

    static class NoProperty {
        @Locked("order:${no.such.property}")
        public void ship() {}
    }

    static class BadWait {
        @Locked(value = "a", waitFor = "10x")
        public void ship() {}
    }

    static class BadLease {
        @Locked(value = "a", lease = "1ms")
        public void ship() {}
    }

    static class NoFallback {
        @Locked(value = "a", onBusy = Locked.OnBusy.FALLBACK, fallback = "later")
        public String ship(String id) {
            return id;
        }

        String later(int id) {
            return "" + id;
        }
    }

    static class SkipsInt {
        @Locked(value = "a", onBusy = Locked.OnBusy.SKIP)
        public int ship() {
            return 1;
        }
    }

    static class NoDataSource {
        @Locked(value = "a", fenced = true)
        public void ship() {}
    }

    static class FencedReader {
        @Locked(value = "a", fenced = true, kind = Locked.Kind.READ)
        public void ship() {}
    }

    static class Private {
        @Locked("a")
        @SuppressWarnings("UnusedMethod") // nobody could call it
        private void ship() {}
    }

    static class Final {
        @Locked("a")
        public final void ship() {}
    }

    static class Static {
        @Locked("a")
        public static void ship() {}
    }

    static class NoClient {
        @Locked(value = "a", client = "other")
        public void ship() {}
    }

    static class StrangeFuture {
        @Locked("a")
        public FutureTask<String> ship() {
            return new FutureTask<>(() -> "");
        }
    }

    static class Permits {
        @Locked(value = "a", permits = 3)
        public void ship() {}
    }

    static class TwoClients {
        @Bean
        io.holdfast.LockClient second(io.holdfast.memory.MemoryStore store) {
            return io.holdfast.memory.MemoryLocks.connect(store);
        }

        @Locked("a")
        public void ship() {}
    }

    private static void refused(Class<?> type, String attribute, String... says) {
        InvalidLockedException invalid = TestLocks.refused(type);
        assertThat(invalid.attribute()).isEqualTo(attribute);
        assertThat(invalid.place()).contains("ship");
        assertThat(invalid).message().contains(Arrays.asList(says));
    }

    @Test
    void template_isChecked() {
        refused(UnknownParameter.class, "value", "no parameter 'ordr'", "order, or p0 to p0");
        refused(UnknownProperty.class, "value", "no property 'number'", "id");
        refused(NoBrace.class, "value", "has no '}'");
        refused(CallsMethod.class, "value", "only reads");
        refused(NamesType.class, "value", "T(java");
        refused(NoProperty.class, "value", "no.such.property");
    }

    @Test
    void attributes_areChecked() {
        refused(BadWait.class, "waitFor", "10x", "10s");
        refused(BadLease.class, "lease", "1ms", "PT0.1S");
        refused(NoFallback.class, "fallback", "later", "String");
        refused(SkipsInt.class, "onBusy", "int");
        refused(NoDataSource.class, "fenced", "DataSource");
        refused(FencedReader.class, "fenced", "READ");
        refused(NoClient.class, "client", "other", "locks");
        refused(TwoClients.class, "client", "second");
        refused(Permits.class, "permits", "PERMIT");
    }

    @Test
    void methodsThatNoProxyReaches_areRefused() {
        refused(Private.class, "", "private");
        refused(Final.class, "", "final");
        refused(Static.class, "", "static");
        refused(StrangeFuture.class, "", "FutureTask");
    }
}
