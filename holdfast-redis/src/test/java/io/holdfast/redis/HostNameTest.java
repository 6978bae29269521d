package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockStoreException;
import io.holdfast.testing.redis.FaultProxy;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import io.holdfast.testing.redis.TestCertificates;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A trusted certificate for another host must be refused, by whichever client library. */
@Tag("integration")
@Timeout(30)
class HostNameTest {
    @AutoClose
    private static RedisServer server;

    @AutoClose
    private static TestCertificates certificates;

    @AutoClose
    private static FaultProxy impostor;

    @RegisterExtension
    final Bench bench = new Bench();

    @BeforeAll
    static void start() {
        server = RedisServer.start(RedisVersion.V7_0);
        certificates = TestCertificates.createFor("dns:elsewhere.example,ip:192.0.2.1");
        impostor = FaultProxy.tls(certificates.serverContext(), server);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rediss://127.0.0.1:%d",
                "rediss-sentinel://127.0.0.1:%d/mymaster",
                "rediss-cluster://127.0.0.1:%d"
            })
    void connect_certificateOfAnotherHost_refused(String url) {
        RedisLocksBuilder builder =
                bench.builder(String.format(url, impostor.port())).tlsContext(certificates::clientContext);
        assertThatThrownBy(builder::connect)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("127.0.0.1:" + impostor.port())
                .hasMessageContaining("subject alternative name");
    }
}
