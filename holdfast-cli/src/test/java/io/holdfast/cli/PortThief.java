package io.holdfast.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Listens on a port as another user of the machine would, says yes to everything, and prints what it gets. */
final class PortThief {
    private PortThief() {}

    public static void main(String[] args) throws IOException {
        try (ServerSocket server = new ServerSocket(Integer.parseInt(args[0]), 50, InetAddress.getLoopbackAddress())) {
            System.out.println("listening");
            while (true) {
                Socket victim = server.accept();
                System.out.println("accepted");
                Thread listener = new Thread(() -> serve(victim));
                listener.setDaemon(true);
                listener.start();
            }
        }
    }

    private static void serve(Socket victim) {
        byte[] buffer = new byte[4096];
        try (victim) {
            for (int n = victim.getInputStream().read(buffer);
                    n >= 0;
                    n = victim.getInputStream().read(buffer)) {
                System.out.println("heard " + new String(buffer, 0, n, java.nio.charset.StandardCharsets.UTF_8));
                victim.getOutputStream().write("+OK\r\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            }
        } catch (IOException gone) {
            System.out.println("gone");
        }
    }
}
