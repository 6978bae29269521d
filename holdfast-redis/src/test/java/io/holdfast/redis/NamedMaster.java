package io.holdfast.redis;

import io.holdfast.testing.redis.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A Sentinel played by the test: it says who is master, so that a failover loses exactly what the test wants. */
final class NamedMaster implements AutoCloseable {
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile int port;

    NamedMaster(RedisServer master) {
        this(master.port());
    }

    /** A master that is reached through a proxy. */
    NamedMaster(int port) {
        this.port = port;
        try {
            listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        } catch (IOException unopened) {
            throw new UncheckedIOException(unopened);
        }
        start("named-master", this::accept);
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return listener.getLocalPort();
    }

    String uri() {
        return "redis-sentinel://127.0.0.1:" + listener.getLocalPort() + "/m";
    }

    /** Names this server as master from now on. */
    void name(RedisServer next) {
        port = next.port();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                sockets.add(socket);
                start("named-master-client", () -> answer(socket));
            } catch (IOException closed) {
                // ends the loop
            }
        }
    }

    private void answer(Socket socket) {
        try (socket) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            OutputStream out = socket.getOutputStream();
            for (List<String> request = read(in); !request.isEmpty(); request = read(in)) {
                String port = String.valueOf(this.port);
                String reply = switch (request.get(0).toUpperCase(Locale.ROOT)) {
                    case "SENTINEL" -> "*2\r\n$9\r\n127.0.0.1\r\n$" + port.length() + "\r\n" + port + "\r\n";
                    case "PING" -> "+PONG\r\n";
                    default -> "+OK\r\n";
                };
                out.write(reply.getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException gone) {
            // the client left
        } finally {
            sockets.remove(socket);
        }
    }

    private static List<String> read(BufferedReader in) throws IOException {
        List<String> words = new ArrayList<>();
        String count = in.readLine();
        for (int left = count == null ? 0 : Integer.parseInt(count.substring(1)); left > 0; left--) {
            in.readLine();
            words.add(in.readLine());
        }
        return words;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
