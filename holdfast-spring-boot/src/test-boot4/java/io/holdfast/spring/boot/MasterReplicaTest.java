package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class MasterReplicaTest {

    @Test
    void staticList_endsTheStart() {
        new ApplicationContextRunner()
                .withConfiguration(Boot.redis())
                .withConfiguration(Boot.holdfast())
                .withPropertyValues("spring.data.redis.masterreplica.nodes=localhost:1,localhost:2")
                .run(context -> assertThat(FailureAnalyzersTest.analyzed(context.getStartupFailure())
                                .getDescription())
                        .contains("static list (localhost:1, localhost:2)"));
    }
}
