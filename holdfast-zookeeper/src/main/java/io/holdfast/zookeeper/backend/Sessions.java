package io.holdfast.zookeeper.backend;

import io.holdfast.LockStoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.jspecify.annotations.Nullable;

/**
 * The session of now, and the next one when it has ended.
 *
 * <p>A connection that is lost changes nothing: ZooKeeper's client looks for another server, and the session goes on. A
 * session that has expired took all its nodes along. One that had no connection for as long as it lasts is given up: a
 * server that has lost its data never takes it back, and never says so, and ZooKeeper's client would knock for ever.
 */
final class Sessions {
    private static final Logger LOG = System.getLogger("io.holdfast.zookeeper");
    private static final long LOOK_NANOS = 2_000_000;

    private final ZooKeeperSettings settings;
    private final Connection connection;
    private final String clientId;
    private final ClientRecord record;
    private final Events events;
    private volatile @Nullable Session current;
    private volatile String storeId = "";

    /** Why there is no session, if that is so. */
    private volatile @Nullable LockStoreException refusal;

    private volatile boolean closed;

    /** Since when the maintenance has missed the connection; for it alone. */
    private @Nullable Long lostNanos;

    /** What others want to know. Called in ZooKeeper's thread, or in that of the maintenance. */
    interface Events {
        /** The session is over, and everything that it held. */
        void ended(Session session);

        /** There is a connection again. */
        void connected();
    }

    Sessions(ZooKeeperSettings settings, Paths paths, String clientId, ClientRecord record, Events events) {
        this.settings = settings;
        this.connection = new Connection(settings, paths);
        this.clientId = clientId;
        this.record = record;
        this.events = events;
    }

    /** Opens the first session, or the next one. */
    void open() {
        long untilNanos = settings.time().nanoTime() + settings.connectWithin().toNanos();
        Life life = new Life();
        Connection.Opened opened =
                connection.open(clientId, record.bytes(), life::happened, new Answers(settings.time(), untilNanos));
        checkStore(opened.storeId());
        current = opened.session();
        refusal = null;
        life.begin(opened.session());
        if (closed) {
            close();
        }
    }

    private void checkStore(String found) {
        if (!storeId.isEmpty() && !storeId.equals(found)) {
            LOG.log(
                    Level.ERROR,
                    "ZooKeeper at {0} has lost its data: its identity was {1} and is {2}. Every lease from before is"
                            + " lost, and tokens begin anew: a fence that remembers greater ones lets nobody in",
                    settings.connect(),
                    storeId,
                    found);
        }
        storeId = found;
    }

    String storeId() {
        return storeId;
    }

    /** The session to use; waits for one if the last has ended. */
    Session usable(Answers answers) throws KeeperException {
        while (true) {
            Session session = current;
            if (session != null && !session.isExpired()) {
                return session;
            }
            if (!answers.isTimeLeft() || closed) {
                throw new KeeperException.SessionExpiredException();
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Why the last one that was asked for was not opened; null if it was. */
    @Nullable
    LockStoreException refusal() {
        return refusal;
    }

    /** The session of now, if it is alive and connected. */
    @Nullable
    Session connected() {
        Session session = current;
        return session != null && session.isConnected() ? session : null;
    }

    /** Opens the next session if the last one has ended. */
    void revive() {
        Session session = current;
        if (session == null || closed) {
            return;
        }
        if (isGivenUp(session)) {
            end(session);
        }
        if (session.isExpired()) {
            lostNanos = null;
            Connection.close(session.zooKeeper());
            try {
                open();
                events.connected();
            } catch (LockStoreException notYet) {
                refusal = notYet;
                LOG.log(Level.DEBUG, "no new session yet", notYet);
            }
        }
    }

    private boolean isGivenUp(Session session) {
        long nowNanos = settings.time().nanoTime();
        if (session.isConnected()) {
            lostNanos = null;
        } else if (lostNanos == null) {
            lostNanos = nowNanos;
        }
        return lostNanos != null && nowNanos - lostNanos > settings.session().toNanos();
    }

    private void end(Session session) {
        if (session.expire()) {
            events.ended(session);
        }
    }

    void close() {
        closed = true;
        Session session = current;
        if (session != null) {
            Connection.close(session.zooKeeper());
        }
    }

    /** What happens to one session; what came before it was known is made up for. */
    private final class Life {
        private volatile @Nullable Session session;
        private volatile boolean expiredEarly;

        void begin(Session opened) {
            session = opened;
            if (expiredEarly) {
                end(opened);
            }
        }

        void happened(WatchedEvent event) {
            if (event.getType() != EventType.None) {
                return;
            }
            if (event.getState() == KeeperState.Expired) {
                expiredEarly = true;
                Session mine = session;
                if (mine != null) {
                    end(mine);
                }
            } else if (event.getState() == KeeperState.SyncConnected && session != null) {
                events.connected();
            }
        }
    }
}
