package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Fairness;
import java.io.File;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

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

    static class NamesBean {
        @Locked("order:{@environment}")
        public void ship(Order order) {}
    }

    static class Constructs {
        @Locked("order:{new String('a')}")
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

    static class FencedPermit {
        @Locked(value = "a", fenced = true, kind = Locked.Kind.PERMIT, permits = 2)
        public void ship() {}
    }

    static class OtherResult {
        @Locked(value = "a", onBusy = Locked.OnBusy.FALLBACK, fallback = "later")
        public String ship() {
            return "";
        }

        Integer later() {
            return 1;
        }
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

    static void refused(Class<?> type, String attribute, String... says) {
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
        refused(NamesBean.class, "value", "@environment");
        refused(Constructs.class, "value", "new String");
        refused(NoProperty.class, "value", "no.such.property");
    }

    @Test
    void attributes_areChecked() {
        refused(BadWait.class, "waitFor", "10x", "10s");
        refused(BadLease.class, "lease", "1ms", "100ms");
        refused(NoFallback.class, "fallback", "later", "String");
        refused(SkipsInt.class, "onBusy", "int");
        refused(NoDataSource.class, "fenced", "DataSource");
        refused(FencedReader.class, "fenced", "READ");
        refused(FencedPermit.class, "fenced", "PERMIT");
        refused(OtherResult.class, "fallback", "it returns Integer", "that returns String");
        refused(NoClient.class, "client", "other", "locks");
        refused(TwoClients.class, "client", "second");
        refused(Permits.class, "permits", "PERMIT");
    }

    @Lazy
    static class LazyNoClient extends NoClient {}

    @Test
    void beanThatIsMadeLater_isRefusedEachTime() {
        try (TestLocks locks = new TestLocks(LazyNoClient.class)) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> locks.bean(LazyNoClient.class))
                        .rootCause()
                        .hasMessageContaining("there is no bean of this name");
            }
        }
    }

    @Test
    void methodsThatNoProxyReaches_areRefused() {
        refused(Private.class, "", "private");
        refused(Final.class, "", "final");
        refused(Static.class, "", "static");
        refused(StrangeFuture.class, "", "FutureTask");
    }

    /** Its parameters have no names in its class file. */
    private static Class<?> withoutNames(Path folder, String template) throws Exception {
        Path source = folder.resolve("Nameless.java");
        Files.writeString(source, """
                import io.holdfast.spring.Locked;
                public class Nameless {
                    @Locked("%s")
                    public String ship(String id) {
                        return "shipped " + id;
                    }
                }
                """.formatted(template));
        int exit = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-d",
                        folder.toString(),
                        "-cp",
                        String.join(
                                File.pathSeparator,
                                placeOf(Locked.class),
                                placeOf(Fairness.class),
                                placeOf(Reflective.class),
                                placeOf(Nullable.class)),
                        source.toString());
        assertThat(exit).isZero();
        URL[] place = {folder.toUri().toURL()};
        return new URLClassLoader(place, StartChecksTest.class.getClassLoader()).loadClass("Nameless");
    }

    private static String placeOf(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }

    private static LockedMethod read(Class<?> type) throws Exception {
        Method method = type.getMethod("ship", String.class);
        return LockedReader.read(method, type, method.getAnnotation(Locked.class), text -> text);
    }

    @Test
    void noParameters_namesAreRefusedAndNumbersAreNot(@TempDir Path names, @TempDir Path numbers) throws Exception {
        Class<?> named = withoutNames(names, "order:{id}");
        assertThatThrownBy(() -> read(named))
                .isInstanceOf(InvalidLockedException.class)
                .hasMessageContainingAll("not in the class file", "-parameters", "{p0}");

        LockedMethod numbered = read(withoutNames(numbers, "order:{p0}"));
        assertThat(numbered.call(new Object[] {"1"}).names()).containsExactly("order:1");
    }
}
