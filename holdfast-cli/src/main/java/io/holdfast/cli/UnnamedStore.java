package io.holdfast.cli;

import io.holdfast.cli.embedded.Choice;
import io.holdfast.cli.embedded.SharedRedis;
import io.holdfast.cli.screen.Screen;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;

/**
 * The store of a command line that names none: the Redis on the usual port, or the embedded one. Which of them, the
 * first command decides for all.
 */
final class UnnamedStore {
    /** How to choose anew. */
    static final String FORGET = "holdfast store --forget";

    /** The usual port of Redis; tests have another one. */
    private static final int PORT = Integer.getInteger("holdfast.port", 6379);

    private static final int CONNECT_MILLIS = 300;
    private static final long PAUSE_MILLIS = 300;

    private UnnamedStore() {}

    /** Its URL. Starts the embedded Redis if that was chosen; waits as long for the other one if it is away. */
    static String url(Screen screen, Duration patience) {
        Choice choice = Choice.made(() -> isListening(PORT) ? "redis://localhost:" + PORT : Choice.EMBEDDED);
        if (choice.isEmbedded()) {
            return embedded(screen);
        }
        await(screen, choice, URI.create(choice.store()).getPort(), patience);
        return choice.store();
    }

    private static String embedded(Screen screen) {
        SharedRedis shared = SharedRedis.open();
        screen.note(
                isListening(PORT)
                        ? "no --url: using the embedded Redis of this user, " + shared.address()
                                + ", as before, although a" + " server is at localhost:" + PORT + " now; '" + FORGET
                                + "' chooses anew"
                        : "no --url, and no server at localhost:" + PORT + ": using the embedded Redis of this user, "
                                + shared.address());
        return shared.url();
    }

    /**
     * Waits for the store that was chosen before: another one would not know the holders in this one. It waits here and
     * not with a client that may be down, because nobody typed this address: the message says where it is remembered,
     * and how to choose anew, which no client knows.
     */
    private static void await(Screen screen, Choice choice, int port, Duration patience) {
        long untilNanos = System.nanoTime() + patience.toNanos();
        boolean said = false;
        while (!isListening(port)) {
            if (System.nanoTime() - untilNanos >= 0) {
                throw new CommandException(
                        ExitCodes.BROKEN,
                        "nothing listens at localhost:" + port
                                + ", and it is the store of this user's commands that name"
                                + " none (remembered in " + choice.file()
                                + "). Start it, or name another one with --url;"
                                + " when no command holds a lock in it any more, '" + FORGET + "' chooses anew");
            }
            if (!said) {
                screen.note("waiting for the store, at most " + DurationConverter.shown(patience)
                        + ": nothing listens at localhost:" + port);
                said = true;
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new CommandException(ExitCodes.INTERRUPTED, "interrupted", stopped);
        }
    }

    private static boolean isListening(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("localhost", port), CONNECT_MILLIS);
            return true;
        } catch (IOException nobody) {
            return false;
        }
    }
}
