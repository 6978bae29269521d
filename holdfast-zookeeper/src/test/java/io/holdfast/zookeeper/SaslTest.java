package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockStoreException;
import io.holdfast.testing.zookeeper.ZooKeeperServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.server.auth.DigestLoginModule;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that prove who they are before anything else. */
@Tag("integration")
class SaslTest {
    private static final String SERVER_LOGIN = """
            Server {
                org.apache.zookeeper.server.auth.DigestLoginModule required
                user_me="secret";
            };
            """;

    @TempDir
    private Path folder;

    @AfterEach
    void forget() {
        Configuration.setConfiguration(null);
    }

    /** ZooKeeper's client looks for the login in the JVM's configuration, by the name that its own names. */
    private static ZKClientConfig login(String password) {
        Configuration.setConfiguration(new Configuration() {
            @Override
            public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
                return new AppConfigurationEntry[] {
                    new AppConfigurationEntry(
                            DigestLoginModule.class.getName(),
                            LoginModuleControlFlag.REQUIRED,
                            Map.of("username", "me", "password", password))
                };
            }
        });
        ZKClientConfig config = new ZKClientConfig();
        config.setProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, "Holdfast");
        config.setProperty("zookeeper.fips-mode", "false"); // which has no passwords
        return config;
    }

    @Test
    void connect_sasl_worksAndAWrongPasswordIsSaid() throws IOException {
        Path jaas = Files.writeString(folder.resolve("jaas.conf"), SERVER_LOGIN);
        try (ZooKeeperServer server = ZooKeeperServer.start(
                2_000,
                Map.of(
                        "authProvider.1",
                        "org.apache.zookeeper.server.auth.SASLAuthenticationProvider",
                        "sessionRequireClientSASLAuth",
                        "true"),
                List.of("-Djava.security.auth.login.config=" + jaas, "-Dzookeeper.fips-mode=false"))) {
            try (LockClient locks = ZooKeeperLocks.builder(server.address())
                            .clientConfig(login("secret"))
                            .acl(ZooDefs.Ids.CREATOR_ALL_ACL)
                            .connect();
                    Lease lease = locks.lock("a").acquire()) {
                assertThat(lease.isValid()).isTrue();
            }
            assertThatThrownBy(() -> ZooKeeperLocks.builder(server.address())
                            .clientConfig(login("wrong"))
                            .connect())
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("does not accept the credentials");
        }
    }
}
