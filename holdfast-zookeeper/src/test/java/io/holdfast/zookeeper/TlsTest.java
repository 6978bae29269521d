package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.testing.redis.TestCertificates;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that speaks TLS, and a user with a password. */
@Tag("integration")
class TlsTest {

    @Test
    void connect_tlsAndDigest_works() {
        try (TestCertificates certificates = TestCertificates.create();
                ZooKeeperServer server =
                        ZooKeeperServer.startSecure(certificates.keyStore(), certificates.password())) {
            ZKClientConfig config = new ZKClientConfig();
            config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
            config.setProperty(
                    ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
            config.setProperty(
                    "zookeeper.ssl.trustStore.location",
                    certificates.trustStore().toString());
            config.setProperty("zookeeper.ssl.trustStore.password", certificates.password());
            ZooKeeperLocksBuilder builder = BackendClient.patient(server.secureAddress())
                    .auth("digest", "me:secret".getBytes(StandardCharsets.UTF_8))
                    .clientConfig(config);
            try (LockClient locks = builder.connect();
                    Lease lease = locks.lock("a").acquire()) {
                assertThat(lease.isValid()).isTrue();
            }

            assertThatThrownBy(() -> ZooKeeperLocks.builder(server.secureAddress())
                            .requestTimeout(Duration.ofMillis(400))
                            .connect())
                    .as("without TLS")
                    .hasMessageContaining("not the one for TLS");
            assertThatThrownBy(() -> ZooKeeperLocks.builder(server.address())
                            .clientConfig(config)
                            .requestTimeout(Duration.ofMillis(400))
                            .connect())
                    .as("TLS at the plain port")
                    .hasMessageContaining("is the one for TLS");
        }
    }
}
