package io.holdfast.testing.redis;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads whole frames of the Redis protocol, versions 2 and 3, and inline requests.
 *
 * <p>Values come as {@code String}, {@code Long}, {@code Boolean}, {@link RespError}, {@code null} or a {@code List} of
 * these; a map is a list of its keys and values in turn.
 */
final class RespReader {
    private final InputStream in;
    private ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    RespReader(InputStream in) {
        this.in = in;
    }

    /** The next frame, or null where the stream ends between two frames. */
    @Nullable
    RespFrame read() throws IOException {
        bytes = new ByteArrayOutputStream();
        int type = in.read();
        if (type < 0) {
            return null;
        }
        bytes.write(type);
        Object value = value((char) type);
        return new RespFrame((char) type, bytes.toByteArray(), value);
    }

    private @Nullable Object value(char type) throws IOException {
        String line = line();
        return switch (type) {
            case '+', ',', '(' -> line;
            case '-' -> new RespError(line);
            case ':' -> Long.valueOf(line);
            case '#' -> line.equals("t");
            case '_' -> null;
            case '$', '=' -> bulk(line);
            case '!' -> new RespError(String.valueOf(bulk(line)));
            case '*', '~', '>' -> list(Integer.parseInt(line));
            case '%' -> list(2 * Integer.parseInt(line));
            case '|' -> afterAttributes(2 * Integer.parseInt(line));
            default -> type + line;
        };
    }

    private @Nullable Object afterAttributes(int count) throws IOException {
        list(count);
        return value((char) next());
    }

    private @Nullable String bulk(String line) throws IOException {
        int length = Integer.parseInt(line);
        if (length < 0) {
            return null;
        }
        byte[] body = in.readNBytes(length + 2);
        if (body.length < length + 2) {
            throw new EOFException("The stream ended within a string");
        }
        bytes.write(body, 0, body.length);
        return new String(body, 0, length, StandardCharsets.UTF_8);
    }

    private @Nullable List<@Nullable Object> list(int count) throws IOException {
        if (count < 0) {
            return null;
        }
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            list.add(value((char) next()));
        }
        return Collections.unmodifiableList(list);
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = next(); b != '\n'; b = next()) {
            if (b != '\r') {
                line.write(b);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    private int next() throws IOException {
        int b = in.read();
        if (b < 0) {
            throw new EOFException("The stream ended within a frame");
        }
        bytes.write(b);
        return b;
    }
}
