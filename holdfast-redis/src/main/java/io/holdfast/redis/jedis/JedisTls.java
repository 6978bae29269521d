package io.holdfast.redis.jedis;

import java.io.IOException;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.JedisClientConfig;

/** What a configuration says about TLS, in the old way or, since Jedis 6.0, in the new one. */
@SuppressWarnings("deprecation") // of the old way
final class JedisTls {
    private static final boolean HAS_OPTIONS =
            JedisVersion.isThere("redis.clients.jedis.SslOptions", JedisTls.class.getClassLoader());

    private JedisTls() {}

    static @Nullable SSLParameters parameters(JedisClientConfig config) {
        return HAS_OPTIONS && config.getSslOptions() != null
                ? config.getSslOptions().getSslParameters()
                : config.getSslParameters();
    }

    static SSLSocketFactory factory(JedisClientConfig config) throws IOException, GeneralSecurityException {
        if (HAS_OPTIONS && config.getSslOptions() != null) {
            return config.getSslOptions().createSslContext().getSocketFactory();
        }
        SSLSocketFactory given = config.getSslSocketFactory();
        return given != null ? given : (SSLSocketFactory) SSLSocketFactory.getDefault();
    }
}
