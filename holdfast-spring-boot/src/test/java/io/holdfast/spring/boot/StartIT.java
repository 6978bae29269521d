package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How long our beans take in Boot's timeline, and what an idle application has. Times are printed, not asserted. */
@Tag("integration")
@Tag("full")
class StartIT {
    private static final int STARTS = 9;
    private static final int MOST_CONNECTIONS = 2;
    private static final int MOST_THREADS = 4;
    private static final Pattern LINE = Pattern.compile("our beans: (\\d+) ms, threads: (\\d+), .*");

    @Test
    void start_onRedis_isMeasured() throws Exception {
        List<Long> times = new ArrayList<>();
        try (RedisServer server = RedisServer.start(RedisVersion.V7_0)) {
            for (int i = 0; i < STARTS; i++) {
                times.add(start(server, "measured-" + i));
            }
        }
        Collections.sort(times);
        System.out.println("our beans took " + times.get(STARTS / 2) + " ms in the median of " + times);
        assertThat(times).hasSize(STARTS);
    }

    /** Each has its own name: the one before may still be on its way out. */
    private static long start(RedisServer server, String name) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        StartMeasure.class.getName(),
                        "--holdfast.store=redis",
                        "--holdfast.redis.url=" + server.uri(),
                        "--holdfast.redis.client-name=" + name)
                .redirectErrorStream(true)
                .start();
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            StringBuilder all = new StringBuilder();
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                all.append(line).append('\n');
                Matcher measured = LINE.matcher(line);
                if (measured.matches()) {
                    assertThat(Integer.parseInt(measured.group(2)))
                            .as("threads")
                            .isLessThanOrEqualTo(MOST_THREADS);
                    assertThat(String.valueOf(server.command("CLIENT", "LIST"))
                                    .lines()
                                    .filter(each -> each.contains("name=" + name + " ")))
                            .as("connections")
                            .hasSizeLessThanOrEqualTo(MOST_CONNECTIONS);
                    return Long.parseLong(measured.group(1));
                }
            }
            throw new AssertionError("it did not start:\n" + all);
        } finally {
            process.destroy();
        }
    }
}
