package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.process.JavaProcess;
import io.holdfast.testing.process.LimitedUser;
import java.lang.ProcessBuilder.Redirect;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real limit of the operating system on the number of threads: see {@link LimitedUser}. */
class ProcessLimitTest {
    private static final int MORE_THREADS = 60;

    @Test
    void loss_userMayStartNoMoreThreads_answeredRenewedAndToldLater(@TempDir Path folder) throws Exception {
        Queue<String> lines = new ConcurrentLinkedQueue<>();
        CountDownLatch silent = new CountDownLatch(1);
        JavaProcess process = JavaProcess.program("limited", LimitedProcess.class)
                .under(LimitedUser.command(MORE_THREADS))
                .flags(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xmx64m"))
                .classPath(
                        LimitedUser.readable(folder, List.of(placeOf(LockEngine.class), placeOf(LimitedProcess.class))))
                .errors(Redirect.PIPE)
                .start();
        process.listen(lines::add, silent::countDown);
        try {
            assertThat(process.endsWithin(Duration.ofMinutes(2))).isTrue();
            assertThat(silent.await(20, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.kill();
        }

        String said = String.join("\n", lines);
        assertThat(process.exitCode()).as(said).isZero();
        assertThat(said)
                .containsPattern("no more threads after \\d{1,2} of 5000")
                .contains("seen: every brief lease is over")
                .contains("seen: the kept lease is renewed")
                .contains("seen: every loss is told")
                .contains("seen: a later loss is told")
                .contains("kept is valid")
                .endsWith("done")
                .doesNotContain("OutOfMemoryError");
    }

    private static Path placeOf(Class<?> one) throws URISyntaxException {
        return Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
