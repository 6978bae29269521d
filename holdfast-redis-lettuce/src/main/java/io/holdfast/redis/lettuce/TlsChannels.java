package io.holdfast.redis.lettuce;

import io.holdfast.redis.driver.RedisAddress;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import java.security.NoSuchAlgorithmException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts the connections to one server. Not left to Lettuce, which wants key and trust stores and knows no context of
 * the application. The certificate must be for the host.
 */
final class TlsChannels implements NettyCustomizer {
    private static final String HOST_NAMES = "HTTPS";

    private final RedisAddress address;
    private final @Nullable SSLParameters parameters;
    private volatile @Nullable SSLContext context;

    TlsChannels(RedisAddress address, @Nullable SSLParameters parameters) {
        this.address = address;
        this.parameters = parameters;
    }

    /** For connections from now on; null for the JVM's own. */
    void use(@Nullable SSLContext next) {
        context = next;
    }

    @Override
    public void afterChannelInitialized(Channel channel) {
        channel.pipeline().addFirst(new SslHandler(engine()));
    }

    private SSLEngine engine() {
        try {
            SSLContext now = context;
            SSLEngine engine =
                    (now == null ? SSLContext.getDefault() : now).createSSLEngine(address.host(), address.port());
            engine.setUseClientMode(true);
            if (parameters != null) {
                engine.setSSLParameters(parameters);
            }
            SSLParameters checked = engine.getSSLParameters();
            if (checked.getEndpointIdentificationAlgorithm() == null
                    || checked.getEndpointIdentificationAlgorithm().isEmpty()) {
                checked.setEndpointIdentificationAlgorithm(HOST_NAMES);
            }
            engine.setSSLParameters(checked);
            return engine;
        } catch (NoSuchAlgorithmException noDefault) {
            throw new IllegalStateException(noDefault);
        }
    }
}
