package io.holdfast.zookeeper.backend;

import io.holdfast.DurationText;
import io.holdfast.LockStoreException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.Stat;

/** Opens a session: connects, looks whether it is good enough, and makes the nodes that must be there. */
final class Connection {
    private static final Logger LOG = System.getLogger("io.holdfast.zookeeper");

    /** How long a server may take to learn of an end, and the threads of ZooKeeper's client to end. */
    private static final int CLOSING_MILLIS = 2_000;

    private final ZooKeeperSettings settings;
    private final Paths paths;
    private final ErrorMessages trouble;

    /** What was opened, and on which store. */
    record Opened(Session session, String storeId) {}

    Connection(ZooKeeperSettings settings, Paths paths) {
        this.settings = settings;
        this.paths = paths;
        this.trouble = new ErrorMessages(settings);
    }

    /**
     * Opens a session.
     *
     * @param watcher is told what happens to the session, from its opening on
     * @throws LockStoreException if there is no answer in time, or something is not as it must be
     */
    Opened open(String clientId, byte[] record, Watcher watcher, Answers answers) {
        long beganNanos = settings.time().nanoTime();
        ZooKeeper zooKeeper = connect(watcher, answers);
        try {
            checkSession(zooKeeper);
            Nodes nodes = new Nodes(zooKeeper, settings.acls());
            String storeId =
                    new Ground(nodes, answers, paths, settings.connect().chroot()).prepare();
            introduce(zooKeeper, nodes, clientId, record, answers);
            return new Opened(new Session(zooKeeper, nodes, paths.client(clientId), settings, beganNanos), storeId);
        } catch (KeeperException said) {
            close(zooKeeper);
            throw trouble.of(null, "open a session", said);
        } catch (RuntimeException | Error unfit) {
            close(zooKeeper);
            throw unfit;
        }
    }

    /** Connects to one of the servers. */
    ZooKeeper connect(Watcher watcher, Answers answers) {
        CompletableFuture<Boolean> connected = new CompletableFuture<>();
        ZooKeeper zooKeeper = dial(event -> {
            if (event.getType() == Watcher.Event.EventType.None) {
                first(event, connected);
            }
            watcher.process(event);
        });
        try {
            answers.await(connected);
            return zooKeeper;
        } catch (KeeperException said) {
            close(zooKeeper);
            throw unreachable(said);
        }
    }

    private ZooKeeper dial(Watcher watcher) {
        int millis = Math.toIntExact(settings.session().toMillis());
        ZKClientConfig config = settings.clientConfig();
        try {
            ZooKeeper zooKeeper = new ZooKeeper(
                    settings.connect().servers(),
                    millis,
                    watcher,
                    false,
                    config == null ? new ZKClientConfig() : config);
            settings.credentials().forEach(each -> each.addTo(zooKeeper));
            return zooKeeper;
        } catch (IOException | IllegalArgumentException unable) {
            throw new LockStoreException(
                    "could not use " + settings.connect().servers() + " with ZooKeeper's client: " + unable.getMessage()
                            + "; check the connect string and clientConfig(…)",
                    unable);
        } catch (NoClassDefFoundError missing) {
            throw new LockStoreException(
                    "ZooKeeper's client lacks a class, " + missing.getMessage()
                            + "; what clientConfig(…) asks for may need a jar more, as TLS does: io.netty:netty-handler, and netty-transport-native-epoll of the same version",
                    missing);
        }
    }

    private static void first(WatchedEvent event, CompletableFuture<Boolean> connected) {
        switch (event.getState()) {
            case SyncConnected, SaslAuthenticated -> connected.complete(true);
            case AuthFailed -> connected.completeExceptionally(new KeeperException.AuthFailedException());
            case Expired, Closed -> connected.completeExceptionally(new KeeperException.SessionExpiredException());
            default -> {}
        }
    }

    private LockStoreException unreachable(KeeperException said) {
        if (said.code() == KeeperException.Code.AUTHFAILED) {
            return trouble.of(null, "open a session", said);
        }
        boolean secure = settings.clientConfig() != null
                && settings.clientConfig().getBoolean(ZKClientConfig.SECURE_CLIENT, false);
        return new LockStoreException(
                "could not connect to ZooKeeper at " + settings.connect().servers() + " within "
                        + DurationText.of(settings.connectWithin())
                        + "; check the addresses, that a majority of the servers runs (one alone is read-only at most),"
                        + " and that the port " + (secure ? "is the one for TLS" : "is not the one for TLS"),
                said);
    }

    private void checkSession(ZooKeeper zooKeeper) {
        int granted = zooKeeper.getSessionTimeout();
        if (granted < settings.session().toMillis()) {
            throw new LockStoreException(
                    null,
                    "",
                    "ZooKeeper gives a session of " + DurationText.of(Duration.ofMillis(granted)) + ", and "
                            + DurationText.of(settings.session())
                            + " was asked for; set session(…) to at most that, or raise maxSessionTimeout of the"
                            + " servers",
                    null,
                    true);
        }
    }

    /** A node of the same name can only be what is left of a session that is ending. */
    private void introduce(ZooKeeper zooKeeper, Nodes nodes, String clientId, byte[] record, Answers answers)
            throws KeeperException {
        String own = paths.client(clientId);
        while (true) {
            try {
                answers.await(nodes.create(own, record, CreateMode.EPHEMERAL));
                return;
            } catch (KeeperException.NodeExistsException there) {
                Stat stat = answers.await(nodes.exists(own));
                if (stat != null && stat.getEphemeralOwner() == zooKeeper.getSessionId()) {
                    return;
                }
                answers.await(nodes.delete(own));
            }
        }
    }

    /**
     * Ends a session, and with it what it holds. Without a connection it ends by itself later.
     *
     * <p>ZooKeeper's client tells the server and waits for the answer: with nobody at the other end, for most of a
     * session. So a thread of its own does it, and is interrupted when it takes long; then the client hangs up.
     */
    static void close(ZooKeeper zooKeeper) {
        Thread closing = new Thread(() -> hangUp(zooKeeper), "holdfast-zookeeper-closing");
        closing.setDaemon(true);
        closing.start();
        boolean interrupted = Thread.interrupted();
        try {
            closing.join(CLOSING_MILLIS);
        } catch (InterruptedException again) {
            interrupted = true;
        } finally {
            closing.interrupt();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void hangUp(ZooKeeper zooKeeper) {
        try {
            zooKeeper.close(CLOSING_MILLIS);
        } catch (InterruptedException | RuntimeException unable) {
            LOG.log(Level.DEBUG, "a session could not be closed, and will expire", unable);
        }
    }
}
