package io.holdfast.redis.lettuce;

import io.holdfast.redis.driver.RedisAccess;
import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisCredentials;
import io.holdfast.redis.driver.RedisLinkException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The clients of Lettuce that connections are made with, and the threads that they share. With
 * TLS, each server has clients of its own, because the certificate must be for its host.
 */
final class LettuceClients {
    private static final int FEWEST_THREADS = 2;

    /** How long a thread has had nothing to do before it ends. */
    private static final int QUIET_MILLIS = 50;

    private static final int MOST_MILLIS = 2_000;

    /** The client for one kind of connection to one server. */
    record Target(RedisClient client, RedisAddress address) {
        /** Lettuce sends nothing by itself: no name and version of the library. */
        RedisURI uri(Duration patience) {
            RedisURI uri = RedisURI.create(address.host(), address.port());
            uri.setTimeout(patience);
            uri.setLibraryName("");
            uri.setLibraryVersion("");
            return uri;
        }
    }

    private record Kind(ProtocolVersion protocol, @Nullable RedisAddress encrypted) {}

    private record Made(RedisClient client, @Nullable TlsChannels channels) {}

    private final RedisAccess access;

    /** Guards all below. */
    private final ReentrantLock mutex = new ReentrantLock();

    private final Map<Kind, Made> clients = new HashMap<>();
    private @Nullable ClientResources resources;
    private boolean closed;

    /** Loads most of Netty, so that the first connection has its time for itself. */
    LettuceClients(RedisAccess access) {
        this.access = access;
        if (!access.isEncrypted()) {
            Kind first = new Kind(ProtocolVersion.RESP2, null);
            clients.put(first, make(first));
        }
    }

    Target target(RedisAddress address, ProtocolVersion protocol) {
        boolean encrypted = access.isEncrypted();
        SSLContext context = encrypted ? access.currentContext(address) : null;
        mutex.lock();
        try {
            if (closed) {
                throw RedisLinkException.local("the client is closed", null);
            }
            Made made = clients.computeIfAbsent(new Kind(protocol, encrypted ? address : null), this::make);
            if (made.channels != null) {
                made.channels.use(context);
            }
            return new Target(made.client, address);
        } finally {
            mutex.unlock();
        }
    }

    private Made make(Kind kind) {
        if (resources == null) {
            resources = DefaultClientResources.builder()
                    .ioThreadPoolSize(FEWEST_THREADS)
                    .computationThreadPoolSize(FEWEST_THREADS)
                    .build();
        }
        TlsChannels channels = kind.encrypted == null
                ? null
                : new TlsChannels(kind.encrypted, access.tls().parameters());
        RedisClient client = RedisClient.create(
                channels == null
                        ? resources
                        : resources.mutate().nettyCustomizer(channels).build());
        client.setOptions(ClientOptions.builder()
                .autoReconnect(false)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .pingBeforeActivateConnection(false)
                .protocolVersion(kind.protocol)
                .timeoutOptions(TimeoutOptions.create())
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(access.connectTimeout())
                        .keepAlive(true)
                        .tcpNoDelay(true)
                        .build())
                .build());
        return new Made(client, channels);
    }

    static RedisCredentialsProvider provider(RedisCredentials credentials) {
        return RedisCredentialsProvider.from(() -> io.lettuce.core.RedisCredentials.just(
                credentials.user(), credentials.password().toCharArray()));
    }

    /** Does not wait: connections are closed first, and the threads end when they have nothing more to do. */
    @SuppressWarnings("FutureReturnValueIgnored") // it ends by itself
    void close() {
        mutex.lock();
        try {
            closed = true;
            CompletableFuture<?>[] ended = clients.values().stream()
                    .map(each -> each.client.shutdownAsync(QUIET_MILLIS, MOST_MILLIS, TimeUnit.MILLISECONDS))
                    .toArray(CompletableFuture<?>[]::new);
            clients.clear();
            ClientResources shared = resources;
            resources = null;
            if (shared != null) {
                CompletableFuture.allOf(ended)
                        .whenComplete(
                                (done, failure) -> shared.shutdown(QUIET_MILLIS, MOST_MILLIS, TimeUnit.MILLISECONDS));
            }
        } finally {
            mutex.unlock();
        }
    }
}
