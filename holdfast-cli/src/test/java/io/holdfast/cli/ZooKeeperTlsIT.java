package io.holdfast.cli;

import static io.holdfast.cli.Called.holdfast;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.redis.TestCertificates;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ZooKeeper that speaks TLS: the command is told so by ZooKeeper's own properties, as the guide says. */
@Tag("integration")
@Tag("full")
class ZooKeeperTlsIT {

    @Test
    void run_tlsInAFileOfOptions_works(@TempDir Path folder) throws IOException {
        try (TestCertificates certificates = TestCertificates.create();
                ZooKeeperServer server =
                        ZooKeeperServer.startSecure(certificates.keyStore(), certificates.password())) {
            Path options = Files.write(
                    folder.resolve("tls.options"),
                    List.of(
                            "-Dzookeeper.client.secure=true",
                            "-Dzookeeper.clientCnxnSocket=org.apache.zookeeper.ClientCnxnSocketNetty",
                            "-Dzookeeper.ssl.trustStore.location=" + certificates.trustStore(),
                            "-Dzookeeper.ssl.trustStore.password=" + certificates.password()));
            String url = "zk://" + server.secureAddress() + "/app";
            try (Cli run = Cli.with(url)
                    .env("JDK_JAVA_OPTIONS", "@" + options)
                    .start("run", "a", "--", "sh", "-c", "$HOLDFAST ls")) {
                assertThat(run.exitCode()).as(run.err()).isZero();
                assertThat(run.out()).contains("sh -c $HOLDFAST ls");
                assertThat(run.err()).doesNotContain("-Dzookeeper");
            }

            Called plain = holdfast("ls", "--url", url);
            assertThat(plain.code()).as("without them").isEqualTo(ExitCodes.BROKEN);
            assertThat(plain.err()).contains("not the one for TLS");
        }
    }
}
