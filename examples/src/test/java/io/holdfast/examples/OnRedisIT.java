package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The example that brings its own server. */
@Tag("integration")
class OnRedisIT {
    @RegisterExtension
    private final Printed printed = new Printed();

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void main_alone_startsARedisAndUsesIt() throws InterruptedException {
        OnRedis.main(new String[0]);

        assertThat(printed.lines())
                .containsExactly(
                        "started a Redis 7.0",
                        "here ships order:42",
                        "elsewhere may: false",
                        "here crashed; elsewhere went on when the lease had ended",
                        "with a greater token, so that a fence knows: true",
                        "the Redis was killed: an exception, never \"busy\"",
                        "the Redis is back, and so is the lock");
    }
}
