package io.holdfast.site;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Shows a folder to browsers on this machine, and to nobody else. */
final class Server implements AutoCloseable {
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml",
            "png", "image/png");

    private final Path folder;
    private final HttpServer server;

    private Server(Path folder, HttpServer server) {
        this.folder = folder;
        this.server = server;
    }

    /** Starts it; with port 0 the system chooses one. */
    static Server start(Path folder, int port) throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        Server server = new Server(folder.toAbsolutePath().normalize(), http);
        http.createContext("/", server::answer);
        http.start();
        return server;
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort() + "/";
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            Path file = folder.resolve("." + (path.endsWith("/") ? path + "index.html" : path))
                    .normalize();
            if (!file.startsWith(folder) || !Files.isRegularFile(file)) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            String name = file.toString();
            byte[] bytes = Files.readAllBytes(file);
            exchange.getResponseHeaders()
                    .set("Content-Type", TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "text/plain"));
            exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
