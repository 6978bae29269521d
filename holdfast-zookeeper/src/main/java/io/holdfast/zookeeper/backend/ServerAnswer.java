package io.holdfast.zookeeper.backend;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one server says of itself when it is asked one of ZooKeeper's short questions; nothing if it does not answer.
 */
final class ServerAnswer {
    private static final int DEFAULT_PORT = 2181;
    private static final int MILLIS = 2_000;
    private static final int MOST_BYTES = 64 * 1024;
    private static final Pattern ADDRESS = Pattern.compile("(.*?)(?::([0-9]+))?");

    private final String text;

    private ServerAnswer(String text) {
        this.text = text;
    }

    static ServerAnswer of(String server, String question) {
        Matcher address = ADDRESS.matcher(server.strip());
        if (!address.matches()) {
            return new ServerAnswer("");
        }
        int port = address.group(2) == null ? DEFAULT_PORT : Integer.parseInt(address.group(2));
        try (Socket socket = new Socket()) {
            for (InetAddress host : InetAddress.getAllByName(address.group(1))) {
                socket.connect(new InetSocketAddress(host, port), MILLIS);
                break;
            }
            socket.setSoTimeout(MILLIS);
            socket.getOutputStream().write(question.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            return new ServerAnswer(new String(socket.getInputStream().readNBytes(MOST_BYTES), StandardCharsets.UTF_8));
        } catch (IOException | IllegalArgumentException silent) {
            return new ServerAnswer("");
        }
    }

    boolean isEmpty() {
        return text.isEmpty();
    }

    /** The rest of the line that begins so. */
    Optional<String> after(String beginning) {
        return text.lines()
                .filter(line -> line.startsWith(beginning))
                .map(line -> line.substring(beginning.length()).strip())
                .findFirst();
    }
}
