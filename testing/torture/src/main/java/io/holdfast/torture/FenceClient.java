package io.holdfast.torture;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/** A worker thread's way to the {@link FencedStore}. Not thread-safe. */
final class FenceClient implements AutoCloseable {
    /**
     * What was read on entering.
     *
     * @param welcome whether the token was good enough
     * @param value the fenced counter
     * @param twin the other one
     */
    record Entry(boolean welcome, long value, long twin) {}

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    FenceClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }

    Entry enter(Subject subject, long token) throws IOException {
        ask(FencedStore.ENTER, subject, token);
        out.flush();
        return new Entry(in.readBoolean(), in.readLong(), in.readLong());
    }

    /** Was it accepted? */
    boolean write(Subject subject, long token, long value, long twin) throws IOException {
        ask(FencedStore.WRITE, subject, token);
        out.writeLong(value);
        out.writeLong(twin);
        out.flush();
        return in.readBoolean();
    }

    private void ask(int what, Subject subject, long token) throws IOException {
        out.write(what);
        out.writeUTF(subject.name());
        out.writeLong(token);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
