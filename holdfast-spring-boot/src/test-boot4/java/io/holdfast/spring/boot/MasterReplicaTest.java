package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockClient;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class MasterReplicaTest {
    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(Boot.redis())
            .withConfiguration(Boot.dataSource())
            .withConfiguration(Boot.holdfast())
            .withPropertyValues("spring.data.redis.masterreplica.nodes=localhost:1,localhost:2");

    @Test
    void staticList_endsTheStart() {
        contexts.withPropertyValues("holdfast.store=redis")
                .run(context -> assertThat(FailureAnalyzersTest.analyzed(context.getStartupFailure())
                                .getDescription())
                        .contains("static list (localhost:1, localhost:2)"));
    }

    @Test
    void staticList_masterIsNamed_isNotUsed() {
        contexts.withPropertyValues("holdfast.store=redis", "holdfast.redis.url=redis://localhost:1")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(LockClient.class));
    }

    @Test
    void staticList_locksAreElsewhere_isNotUsed() {
        contexts.withPropertyValues(
                        "holdfast.store=jdbc",
                        "spring.datasource.url=jdbc:h2:mem:replicated;DB_CLOSE_DELAY=-1",
                        "holdfast.jdbc.create-tables=true")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(LockClient.class));
    }

    @Test
    void staticList_nobodyLocks_isNotUsed() {
        contexts.withPropertyValues("holdfast.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LockClient.class));
    }
}
