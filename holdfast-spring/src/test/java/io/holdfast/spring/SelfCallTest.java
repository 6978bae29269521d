package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;

/** Calls past the proxy are found in the bytecode. */
class SelfCallTest {

    static class Shop {
        private Shop self;

        @Locked("order:{id}")
        public String ship(String id, long times) {
            return id;
        }

        @Locked("order:{id}")
        public String one(String id) {
            return id;
        }

        String direct(String id) {
            return ship(id, 2L);
        }

        String withBranches(String id, boolean twice) {
            return ship(twice ? id + id : id, twice ? 2L : 1L);
        }

        List<String> inLambda(List<String> ids) {
            return ids.stream().map(id -> ship(id, 1)).collect(Collectors.toList());
        }

        Function<String, String> reference() {
            return this::one;
        }

        String afterTry(String id) {
            try {
                self.one(id);
            } catch (IllegalStateException e) {
                return one(e.getMessage());
            }
            return "";
        }

        String throughTheBean(String id, boolean other) {
            Shop mine = other ? self : new Shop();
            return self.ship(other ? id : "", 1L) + mine.one(id) + new Shop().one(id);
        }

        List<String> othersInLambda(List<String> ids) {
            return ids.stream().map(id -> self.ship(id, 1)).map(self::one).collect(Collectors.toList());
        }
    }

    @Test
    void calls_onThisOnly() {
        LockedMethods methods = new LockedMethods(text -> text, (type, found) -> {});
        List<LockedMethod> found = new ArrayList<>();
        for (var each : Shop.class.getDeclaredMethods()) {
            LockedMethod locked = methods.find(each, Shop.class);
            if (locked != null) {
                found.add(locked);
            }
        }

        assertThat(SelfCallSearch.search(Shop.class, found))
                .extracting(SelfCallSearch.Found::caller)
                .containsExactlyInAnyOrder("direct", "withBranches", "inLambda", "reference", "afterTry");
    }

    static class Strict {
        @Bean
        LockedSettings settings() {
            return LockedSettings.defaults().selfCalls(LockedSettings.SelfCalls.FAIL);
        }
    }

    @Test
    void fail_endsTheStart() {
        assertThat(TestLocks.refused(Strict.class, Shop.class))
                .hasMessageContaining("past the proxy")
                .hasMessageContaining("LockOperations");
    }

    @Test
    void warn_startsAndSaysSo() {
        List<String> said = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger(SelfCallSearch.class.getName());
        Handler ear = new Handler() {
            @Override
            public void publish(LogRecord line) {
                said.add(line.getLevel() + " " + line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(ear);
        try (TestLocks locks = new TestLocks(Shop.class)) {
            assertThat(locks.bean(Shop.class).direct("1")).isEqualTo("1");
        } finally {
            logger.removeHandler(ear);
        }
        assertThat(said).hasSize(5).allMatch(line -> line.startsWith("WARNING ") && line.contains("past the proxy"));
    }
}
