package io.holdfast.redis.driver;

import java.time.Duration;
import java.util.function.Supplier;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * How a driver gets into the servers: what the options of {@code RedisLocksBuilder} say about connections. The same for
 * every server.
 *
 * <p><b>Guarantees.</b> {@link #toString()} shows no secret.
 *
 * @param credentials asked for every new connection, or null if nobody logs in
 * @param database which database
 * @param clientName for {@code CLIENT LIST}, or null
 * @param connectTimeout how long a new connection may take
 * @param isEncrypted whether with TLS
 * @param tls how with TLS
 * @param sockets makes sockets that are not connected, or null for ordinary ones
 * @since 0.1
 */
public record RedisAccess(
        @Nullable Supplier<RedisCredentials> credentials,
        int database,
        @Nullable String clientName,
        Duration connectTimeout,
        boolean isEncrypted,
        Tls tls,
        @Nullable SocketFactory sockets) {

    /**
     * What is known about TLS. The certificate must be for the server's host, whatever stands here.
     *
     * @param context asked for every new connection, or null
     * @param sockets makes encrypted sockets if there is no context, or null for those of the JVM
     * @param parameters protocols and cipher suites, or null
     * @since 0.1
     */
    public record Tls(
            @Nullable Supplier<SSLContext> context,
            @Nullable SSLSocketFactory sockets,
            @Nullable SSLParameters parameters) {}

    /**
     * Asks for the credentials of a new connection.
     *
     * @param address which server, for the message
     * @return the credentials, or null if nobody logs in
     * @throws RedisLinkException if there are none now
     */
    public @Nullable RedisCredentials currentCredentials(RedisAddress address) {
        return credentials == null ? null : asked(credentials, address, "credentials");
    }

    /**
     * Asks for the TLS context of a new connection.
     *
     * @param address which server, for the message
     * @return the context, or null if none was given
     * @throws RedisLinkException if there is none now
     */
    public @Nullable SSLContext currentContext(RedisAddress address) {
        Supplier<SSLContext> context = tls.context;
        return context == null ? null : asked(context, address, "TLS context");
    }

    /** The message of what was thrown is left out, because it may have a secret inside. */
    private static <T> T asked(Supplier<T> supplier, RedisAddress address, String what) {
        T given;
        try {
            given = supplier.get();
        } catch (RuntimeException failure) {
            throw RedisLinkException.unreachable(
                    "no connection to Redis at " + address + ": the supplier of the " + what + " threw "
                            + failure.getClass().getName(),
                    failure,
                    false);
        }
        if (given == null) {
            throw RedisLinkException.unreachable(
                    "no connection to Redis at " + address + ": the supplier of the " + what + " returned null",
                    null,
                    false);
        }
        return given;
    }

    /** Shows what is no secret. */
    @Override
    public String toString() {
        return "database " + database
                + (isEncrypted ? " with TLS" : "")
                + (credentials == null ? " without a login" : " with a login");
    }
}
