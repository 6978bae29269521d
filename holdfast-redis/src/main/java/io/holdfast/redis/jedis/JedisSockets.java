package io.holdfast.redis.jedis;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.spi.TimeSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import javax.net.SocketFactory;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Makes the socket of one connection, within the time that its user has. With TLS, the certificate must be for the host
 * that was asked for: that is checked here, because not every version of Jedis does it.
 */
@SuppressWarnings("deprecation") // a configuration may set TLS in the old way
final class JedisSockets implements JedisSocketFactory {
    private static final String HOST_NAMES = "HTTPS";
    private static final TimeSource TIME = TimeSource.system();

    private final RedisAddress address;
    private final JedisClientConfig config;
    private final SocketFactory sockets;
    private final long untilNanos;

    /** The only one: a link never reconnects. */
    private volatile @Nullable Socket last;

    JedisSockets(RedisAddress address, JedisClientConfig config, Duration patience, SocketFactory sockets) {
        this.address = address;
        this.config = config;
        this.sockets = sockets;
        this.untilNanos = TIME.nanoTime() + patience.toNanos();
    }

    @Override
    public Socket createSocket() {
        HostAndPort target = new HostAndPort(address.host(), address.port());
        if (config.getHostAndPortMapper() != null) {
            target = config.getHostAndPortMapper().getHostAndPort(target);
        }
        Socket socket = null;
        boolean made = false;
        try {
            socket = connected(target);
            socket.setSoTimeout(leftMillis());
            Socket ready = config.isSsl() ? encrypted(socket, target) : socket;
            made = true;
            last = ready;
            return ready;
        } catch (IOException | GeneralSecurityException failure) {
            throw new JedisConnectionException("could not connect to " + address, failure);
        } finally {
            if (!made) {
                close(socket);
            }
        }
    }

    /** A name may have several addresses: connects to the first that accepts. */
    private Socket connected(HostAndPort target) throws IOException {
        IOException first = null;
        InetAddress[] all = InetAddress.getAllByName(target.getHost());
        for (int i = 0; i < all.length; i++) {
            Socket socket = sockets.createSocket();
            try {
                socket.setTcpNoDelay(true);
                socket.setKeepAlive(true);
                socket.setSoLinger(true, 0); // closing does not wait
                socket.connect(new InetSocketAddress(all[i], target.getPort()), connectMillis(all.length - i));
                return socket;
            } catch (IOException failure) {
                close(socket);
                first = first == null ? failure : first;
            }
        }
        throw first == null ? new IOException("no address of " + target.getHost()) : first;
    }

    /** An address that drops packets must leave some time for the others. */
    private int connectMillis(int addresses) throws SocketTimeoutException {
        int share = Math.max(1, leftMillis() / addresses);
        int most = config.getConnectionTimeoutMillis();
        return most <= 0 ? share : Math.min(share, most); // zero means no limit
    }

    private Socket encrypted(Socket plain, HostAndPort target) throws IOException, GeneralSecurityException {
        SSLSocket socket =
                (SSLSocket) JedisTls.factory(config).createSocket(plain, target.getHost(), target.getPort(), true);
        SSLParameters given = JedisTls.parameters(config);
        if (given != null) {
            socket.setSSLParameters(given);
        }
        SSLParameters checked = socket.getSSLParameters();
        if (checked.getEndpointIdentificationAlgorithm() == null
                || checked.getEndpointIdentificationAlgorithm().isEmpty()) {
            checked.setEndpointIdentificationAlgorithm(HOST_NAMES);
        }
        socket.setSSLParameters(checked);
        try {
            socket.startHandshake();
        } catch (SocketTimeoutException silent) {
            SocketTimeoutException named = new SocketTimeoutException("no answer to the TLS handshake");
            named.addSuppressed(silent); // the root of a failure is what is told
            throw named;
        }
        HostnameVerifier also = config.getHostnameVerifier();
        if (also != null && !also.verify(target.getHost(), socket.getSession())) {
            throw new SSLPeerUnverifiedException("the host name verifier refused " + target.getHost());
        }
        return socket;
    }

    private int leftMillis() throws SocketTimeoutException {
        long left = (untilNanos - TIME.nanoTime()) / 1_000_000;
        if (left <= 0 && untilNanos - TIME.nanoTime() <= 0) {
            throw new SocketTimeoutException("the time was up before there was a connection");
        }
        return (int) Math.max(1, Math.min(left, Integer.MAX_VALUE));
    }

    void end() {
        close(last);
    }

    private static void close(@Nullable Socket socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException gone) {
            // nothing is left to close
        }
    }
}
