package io.holdfast.testing.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("integration")
class FaultProxyTlsIT {
    @ParameterizedTest
    @EnumSource(RedisVersion.class)
    void tls_trustedCertificate_passesAndBreaksLikePlainText(RedisVersion version) throws Exception {
        try (TestCertificates certificates = TestCertificates.create();
                RedisServer server = RedisServer.start(version);
                FaultProxy proxy = FaultProxy.tls(certificates.serverContext(), server)) {
            assertThat(proxy.uri()).startsWith("rediss://");
            assertThat(Files.exists(certificates.keyStore())).isTrue();
            try (SSLSocket socket = connect(certificates.clientContext(), proxy)) {
                assertThat(ping(socket)).isEqualTo("PONG");
                proxy.reset();
                assertThatThrownBy(() -> ping(socket)).isInstanceOf(IOException.class);
            }
            try (SSLSocket stranger = connect(SSLContext.getDefault(), proxy)) {
                assertThatThrownBy(() -> ping(stranger)).isInstanceOf(SSLException.class);
            }
        }
    }

    private static SSLSocket connect(SSLContext context, FaultProxy proxy) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(proxy.host(), proxy.port());
        var parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.setSoTimeout(5_000);
        return socket;
    }

    private static Object ping(SSLSocket socket) throws IOException {
        socket.getOutputStream().write("*1\r\n$4\r\nPING\r\n".getBytes(UTF_8));
        RespFrame frame = new RespReader(socket.getInputStream()).read();
        if (frame == null) {
            throw new IOException("closed");
        }
        return frame.value();
    }
}
