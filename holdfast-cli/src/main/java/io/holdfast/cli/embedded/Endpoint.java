package io.holdfast.cli.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** Where an embedded server listens, and its password, which also names the owner of the server. */
record Endpoint(int port, String password) {
    private static final Pattern PASSWORD = Pattern.compile("embedded-([0-9]{1,10})-[0-9a-f]{32}");
    private static final Pattern URL =
            Pattern.compile("redis://:(" + PASSWORD + ")@127\\.0\\.0\\.1:([1-9][0-9]{0,4})(/.*)?");
    private static final String HOST = "127.0.0.1";
    private static final int PASSWORD_BYTES = 16;
    private static final int TIMEOUT_MILLIS = 2_000;

    /** A port that nobody has at this moment, and a password that nobody can guess. */
    static Endpoint fresh() {
        byte[] secret = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(secret);
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new Endpoint(
                    socket.getLocalPort(),
                    "embedded-" + OwnSockets.self() + "-" + HexFormat.of().formatHex(secret));
        } catch (IOException failure) {
            throw new UncheckedIOException("no port is free on " + HOST, failure);
        }
    }

    /** Whether a server could listen there now. */
    boolean isFree() {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    /** The one that a file tells of, if there is one and it can be read. */
    static Optional<Endpoint> readFrom(Path file) {
        try {
            String[] parts = Files.readString(file).strip().split(" ", -1);
            return parts.length == 2
                            && parts[0].matches("[1-9][0-9]{0,4}")
                            && PASSWORD.matcher(parts[1]).matches()
                    ? Optional.of(new Endpoint(Integer.parseInt(parts[0]), parts[1]))
                    : Optional.empty();
        } catch (IOException none) {
            return Optional.empty();
        }
    }

    void writeTo(Path file) {
        Home.write(file, List.of(port + " " + password));
    }

    /** The settings of a server: it keeps nothing on the disk, and forgets nothing to save memory. */
    void writeSettings(Path file, Path folder, boolean daemon) {
        Home.write(
                file,
                List.of(
                        "bind " + HOST,
                        "port " + port,
                        "requirepass " + password,
                        "daemonize " + (daemon ? "yes" : "no"),
                        "dir " + quoted(folder),
                        "logfile " + quoted(folder.resolve("redis.log")),
                        "save \"\"",
                        "appendonly no",
                        "maxmemory-policy noeviction"));
    }

    private static String quoted(Path path) {
        return '"' + path.toAbsolutePath().toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    String url() {
        return "redis://:" + password + "@" + address();
    }

    /** The one that a URL tells of, if it is of an embedded server. */
    static Optional<Endpoint> of(String url) {
        Matcher parts = URL.matcher(url);
        return parts.matches()
                ? Optional.of(new Endpoint(Integer.parseInt(parts.group(3)), parts.group(1)))
                : Optional.empty();
    }

    /** Over these, the password is told to this server only. */
    OwnSockets sockets() {
        Matcher parts = PASSWORD.matcher(password);
        return new OwnSockets(parts.matches() ? Long.parseLong(parts.group(1)) : OwnSockets.self());
    }

    String address() {
        return HOST + ":" + port;
    }

    /** What a server is found to be. */
    enum State {
        ANSWERS,
        /** There, and not answering: it may be stopped, and people may hold locks in it. */
        SILENT,
        /** Not there, or somebody else's. */
        GONE
    }

    boolean answers() {
        return state() == State.ANSWERS;
    }

    State state() {
        try (Jedis connection = connect()) {
            return connection.ping().equals("PONG") ? State.ANSWERS : State.GONE;
        } catch (JedisAccessControlException strangers) {
            return State.GONE;
        } catch (JedisDataException refused) {
            return String.valueOf(refused.getMessage()).contains("AUTH") ? State.GONE : State.SILENT;
        } catch (JedisException failure) {
            return isTimeout(failure) ? State.SILENT : State.GONE;
        }
    }

    private static boolean isTimeout(@Nullable Throwable failure) {
        return failure != null && (failure instanceof SocketTimeoutException || isTimeout(failure.getCause()));
    }

    private Socket connected() {
        try {
            Socket socket = sockets().createSocket();
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            return socket;
        } catch (IOException failure) {
            throw new JedisConnectionException("could not connect to " + address(), failure);
        }
    }

    Jedis connect() {
        return new Jedis(
                this::connected,
                DefaultJedisClientConfig.builder()
                        .password(password)
                        .timeoutMillis(TIMEOUT_MILLIS)
                        .build());
    }
}
