package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockClient;
import io.holdfast.LockStoreException;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spring.InvalidLockedException;
import io.holdfast.spring.Locked;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** What a person reads when the application does not start, found as Boot finds it. */
class FailureAnalyzersTest {

    static FailureAnalysis analyzed(Throwable failure) {
        // Boot's own want arguments: left out, as they would be in another context.
        List<FailureAnalyzer> analyzers = SpringFactoriesLoader.forDefaultResourceLocation(
                        FailureAnalyzersTest.class.getClassLoader())
                .load(
                        FailureAnalyzer.class,
                        SpringFactoriesLoader.FailureHandler.handleMessage((message, failed) -> {}));
        return analyzers.stream()
                .filter(each -> each.getClass().getName().startsWith("io.holdfast"))
                .map(each -> each.analyze(failure))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> new AssertionError("nobody knows", failure));
    }

    @Test
    void start_saysWhatToChange() {
        new ApplicationContextRunner()
                .withConfiguration(Boot.holdfast())
                .withPropertyValues("holdfast.store=redis")
                .run(context -> {
                    FailureAnalysis analysis = analyzed(context.getStartupFailure());
                    assertThat(analysis.getDescription())
                            .isEqualTo("holdfast.store is redis, and nothing says where it is.");
                    assertThat(analysis.getAction()).contains("holdfast.redis.url=redis://host:port");
                });
    }

    @Test
    void severalClients_areNamed() {
        MemoryStore store = new MemoryStore();
        new ApplicationContextRunner()
                .withConfiguration(Boot.holdfast())
                .withBean("one", LockClient.class, () -> MemoryLocks.connect(store))
                .withBean("two", LockClient.class, () -> MemoryLocks.connect(store))
                .run(context -> {
                    FailureAnalysis analysis = analyzed(context.getStartupFailure());
                    assertThat(analysis.getDescription()).contains("none is primary: one, two");
                    assertThat(analysis.getAction()).contains("@Primary");
                });
    }

    @Test
    void invalidLocked_saysMethodAttributeValueAndWhatIsPossible() throws NoSuchMethodException {
        FailureAnalysis analysis = analyzed(new BeanCreationException(
                "shop",
                new InvalidLockedException(
                        Object.class.getMethod("toString"),
                        "waitFor",
                        "10x",
                        "10x is no time",
                        "Write 10s, 500ms, 0 or forever")));
        assertThat(analysis.getDescription())
                .contains("method:    java.lang.Object.toString()")
                .contains("attribute: waitFor")
                .contains("value:     10x")
                .contains("10x is no time.");
        assertThat(analysis.getAction()).isEqualTo("Write 10s, 500ms, 0 or forever.");
    }

    static class Shop {
        @Locked(value = "order:{p0}", waitFor = "10x")
        public String ship(String id) {
            return id;
        }
    }

    @Test
    void invalidLocked_ofABean_endsTheStart() {
        new ApplicationContextRunner()
                .withConfiguration(Boot.holdfast())
                .withPropertyValues("holdfast.store=memory")
                .withBean(Shop.class)
                .run(context -> assertThat(analyzed(context.getStartupFailure()).getDescription())
                        .contains("Shop.ship(String)", "attribute: waitFor", "value:     10x"));
    }

    @Test
    void store_saysItsMessageAndWhichPropertiesThereAre() {
        FailureAnalysis analysis = analyzed(
                new BeanCreationException("lockClient", new LockStoreException("the server wants a password", null)));
        assertThat(analysis.getDescription()).contains("the server wants a password");
        assertThat(analysis.getAction()).contains("holdfast.redis.url", "spring.data.redis");
    }
}
