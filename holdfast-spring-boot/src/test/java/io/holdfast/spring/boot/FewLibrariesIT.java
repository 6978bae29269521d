package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An application that has Boot and the starter, and nothing of what is optional. */
@Tag("integration")
class FewLibrariesIT {
    private static final Pattern OPTIONAL =
            Pattern.compile(".*/(reactor-|reactive-streams|spring-(tx|jdbc|orm|r2dbc|data)"
                    + "|spring-boot3?-(actuator|health|data|jdbc|sql|transaction|web|tomcat|servlet|micrometer|jackson|test)"
                    + "|holdfast-(fence|jdbc|redis|quorum|zookeeper|micrometer|testing)|lettuce|jedis|netty|micrometer-core"
                    + "|zookeeper|HikariCP|tomcat-|h2-).*|.*/testing/(redis|databases|zookeeper)/.*"
                    + "|.*/holdfast-(fence|jdbc|redis|quorum|zookeeper|micrometer)/target/.*");

    @Test
    void applicationWithoutReactorTransactionsAndActuator_locks() throws Exception {
        String few = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !OPTIONAL.matcher(entry).matches())
                .collect(Collectors.joining(File.pathSeparator));

        assertThat(few).doesNotContain("reactor", "spring-tx", "fence");
        assertThat(Program.run(few, List.of(), AotApplication.class.getName()))
                .contains("held in order:42: true")
                .contains("shipped 7: true")
                .contains("later 8");
    }

    @Test
    void redisWithoutItsClient_endsTheStartWithWhatToAdd() throws Exception {
        String withoutJedis = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.contains("/jedis/"))
                .collect(Collectors.joining(File.pathSeparator));

        assertThat(Program.run(
                        1,
                        withoutJedis,
                        List.of("-Dholdfast.store=redis", "-Dholdfast.redis.url=redis://localhost:1"),
                        AotApplication.class.getName()))
                .contains("APPLICATION FAILED TO START")
                .contains("add redis.clients:jedis")
                .contains("Change the dependency that it names");
    }
}
