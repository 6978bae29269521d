package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

/** What a native image is told of the stores. */
class HoldfastRuntimeHintsTest {
    private final RuntimeHints hints = new RuntimeHints();

    HoldfastRuntimeHintsTest() {
        new HoldfastRuntimeHints().registerHints(hints, getClass().getClassLoader());
    }

    @Test
    void scriptsAndStatements_areThere() {
        for (String file : new String[] {
            "io/holdfast/redis/protocol/guard.lua", "io/holdfast/jdbc/database/statements.sql",
        }) {
            assertThat(getClass().getClassLoader().getResource(file)).as(file).isNotNull();
            assertThat(RuntimeHintsPredicates.resource().forResource(file))
                    .as(file)
                    .accepts(hints);
        }
    }

    @Test
    void libraries_areFoundByTheNamesOfTheirTypes() {
        for (String type : new String[] {
            "redis.clients.jedis.Connection", "redis.clients.jedis.SslOptions", "io.lettuce.core.RedisClient",
        }) {
            assertThat(RuntimeHintsPredicates.reflection().onType(TypeReference.of(type)))
                    .as(type)
                    .accepts(hints);
        }
        assertThat(hints.reflection().typeHints()).anySatisfy(hint -> {
            assertThat(hint.getType()).isEqualTo(TypeReference.of(PGConnection.class));
            assertThat(hint.getMemberCategories()).contains(MemberCategory.INVOKE_PUBLIC_METHODS);
        });
    }

    @Test
    void libraries_thatAreMissing_areNotNamed() {
        RuntimeHints none = new RuntimeHints();
        new HoldfastRuntimeHints().registerHints(none, new ClassLoader(null) {});
        assertThat(none.reflection().typeHints()).isEmpty();
    }
}
