package io.holdfast.testing.redis;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One plain connection to a server, without any client library: what is sent is what was asked for, nothing more.
 *
 * <p>Replies are {@code String}, {@code Long}, {@code null} or a {@code List} of these. An error reply is thrown as
 * {@link RedisConsoleException}, a broken or silent connection as {@link RedisUnreachableException}. Not thread-safe.
 */
public final class RedisConsole implements AutoCloseable {
    static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final String address;
    private final Socket socket;
    private final InputStream in;
    private final RespReader reader;

    private RedisConsole(String address, Socket socket) throws IOException {
        this.address = address;
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
        this.reader = new RespReader(in);
    }

    /** Connects, and waits at most five seconds for each reply. */
    public static RedisConsole connect(String host, int port) {
        return connect(host, port, TIMEOUT);
    }

    public static RedisConsole connect(String host, int port, Duration timeout) {
        String address = host + ":" + port;
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(Math.toIntExact(timeout.toMillis()));
            socket.connect(new InetSocketAddress(host, port), Math.toIntExact(timeout.toMillis()));
            return new RedisConsole(address, socket);
        } catch (IOException e) {
            Closing.quietly(socket);
            throw new RedisUnreachableException("No connection to " + address, e);
        }
    }

    /** Sends one command and reads its reply. */
    public @Nullable Object command(String... words) {
        send(words);
        return read();
    }

    /** Sends one command and leaves its reply to {@link #read}. */
    public void send(String... words) {
        try {
            socket.getOutputStream().write(encode(words));
        } catch (IOException e) {
            throw new RedisUnreachableException("Could not send " + words[0] + " to " + address, e);
        }
    }

    /** The next reply or message. */
    public @Nullable Object read() {
        RespFrame frame;
        try {
            frame = reader.read();
            if (frame == null) {
                throw new EOFException("The server closed the connection");
            }
        } catch (IOException e) {
            throw new RedisUnreachableException("No reply from " + address, e);
        }
        if (frame.value() instanceof RespError error) {
            throw new RedisConsoleException(error.message());
        }
        return frame.value();
    }

    /** Does nothing come, and does the connection stay, for that long? What comes stays to be read. */
    public boolean isSilentFor(Duration time) {
        try {
            int timeout = socket.getSoTimeout();
            in.mark(1);
            try {
                socket.setSoTimeout(Math.toIntExact(time.toMillis()));
                in.read();
                in.reset();
                return false;
            } finally {
                socket.setSoTimeout(timeout);
            }
        } catch (SocketTimeoutException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    static byte[] encode(String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(("*" + words.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
        for (String word : words) {
            byte[] body = word.getBytes(StandardCharsets.UTF_8);
            out.writeBytes(("$" + body.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.writeBytes(body);
            out.writeBytes(new byte[] {'\r', '\n'});
        }
        return out.toByteArray();
    }

    /** For raw bytes that were captured elsewhere. */
    @Nullable
    Object exchange(byte[] request) {
        try {
            socket.getOutputStream().write(request);
        } catch (IOException e) {
            throw new RedisUnreachableException("Could not send to " + address, e);
        }
        return read();
    }

    @Override
    public void close() {
        Closing.quietly(socket);
    }
}
