package io.holdfast.zookeeper.backend;

import io.holdfast.LockKind;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import io.holdfast.zookeeper.line.Line;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;

/**
 * Tells claims that wait when they are served. A claim for all of something watches the one right before it, so that an
 * end wakes one and not all; claims that share watch the children of the resource, once for all of this client.
 *
 * <p>An event leads to one look, and the look to a grant or to the next watch. A watch that never comes costs a poll:
 * the engine asks every second.
 *
 * <p><b>Order.</b> Answers and events of a session come in the order in which the server sent them, in one thread. So a
 * claim that waits when a list comes had its node before the list was made; and an event that comes while a list is
 * under way is older than that list.
 */
final class Waiters {
    private final Lines lines;
    private final HeldClaims claims;
    private final BackendListener listener;
    private final TimeSource time;

    /** The lists that are watched by a session that lives. */
    private final Map<Change, Look> watched = new ConcurrentHashMap<>();

    /** How far the look is that sets a watch. */
    private enum Look {
        UNDER_WAY,
        DONE
    }

    /**
     * The end of one node. Two for the same node of the same session are equal: ZooKeeper's client keeps one of them,
     * however many claims have waited behind that node and gone.
     */
    private record End(Waiters waiters, Session session, String parent, String node) implements Watcher {
        @Override
        public void process(WatchedEvent event) {
            waiters.happened(this, event.getType());
        }
    }

    /** A change of one list. */
    private record Change(Waiters waiters, Session session, String parent) implements Watcher {
        @Override
        public void process(WatchedEvent event) {
            waiters.happened(this, event.getType());
        }
    }

    Waiters(Lines lines, HeldClaims claims, BackendListener listener, TimeSource time) {
        this.lines = lines;
        this.claims = claims;
        this.listener = listener;
        this.time = time;
    }

    /** Watches for a claim that waits in this line. */
    void watch(HeldClaim own, Line line) {
        if (isAlone(own.claim.resource())) {
            line.before(own.node()).ifPresent(before -> {
                if (claims.watches(own, before.node())) {
                    watch(new End(this, own.session, own.parent, before.node()));
                }
            });
        } else {
            watchList(new Change(this, own.session, own.parent));
        }
    }

    private static boolean isAlone(Resource resource) {
        return resource.kind() == LockKind.LOCK || resource.kind() == LockKind.ELECTION;
    }

    /**
     * The deletion of a node was just sent. Whoever of this client waits right behind it is looked for behind the
     * deletion, instead of after the event that will tell of it: a round trip less.
     */
    void leaves(HeldClaim own) {
        if (isAlone(own.claim.resource())) {
            if (!claims.takeBehind(own.session, own.parent, own.node()).isEmpty()) {
                look(own.session, own.parent);
            }
        } else if (!claims.waiting(own.session, own.parent).isEmpty()) {
            Change change = new Change(this, own.session, own.parent);
            if (watched.replace(change, Look.DONE, Look.UNDER_WAY)) {
                lookAndWatch(change);
            }
        }
    }

    private void watch(End end) {
        end.session.nodes().watch(end.parent + '/' + end.node, end).whenComplete((there, failure) -> {
            if (failure != null) {
                claims.takeBehind(end.session, end.parent, end.node); // the next poll tries again
            } else if (!there) {
                left(end);
            }
        });
    }

    private void happened(End end, EventType type) {
        if (type == EventType.NodeDeleted) {
            left(end);
        } else if (type == EventType.NodeDataChanged && !behind(end).isEmpty()) {
            watch(end); // its lease became longer, and that has used the watch up
        }
    }

    private List<HeldClaim> behind(End end) {
        return claims.behind(end.session, end.parent, end.node);
    }

    private void left(End end) {
        if (!behind(end).isEmpty()) {
            look(end.session, end.parent);
        }
    }

    private void watchList(Change change) {
        if (watched.putIfAbsent(change, Look.UNDER_WAY) == null) {
            lookAndWatch(change);
        }
    }

    private void lookAndWatch(Change change) {
        long sentNanos = time.nanoTime();
        change.session.nodes().children(change.parent, change).whenComplete((children, failure) -> {
            if (failure != null || children.isEmpty()) {
                watched.remove(change); // what does not exist cannot be watched
            } else {
                watched.replace(change, Look.UNDER_WAY, Look.DONE);
            }
            if (failure == null) {
                judge(change.session, change.parent, children, sentNanos);
            }
        });
    }

    private void happened(Change change, EventType type) {
        boolean used = type != EventType.None && watched.remove(change, Look.DONE);
        if (used && !claims.waiting(change.session, change.parent).isEmpty()) {
            watchList(change);
        }
    }

    /** The session has ended, and its watches with it. */
    void ended(Session session) {
        watched.keySet().removeIf(change -> change.session == session);
    }

    private void look(Session session, String parent) {
        long sentNanos = time.nanoTime();
        session.nodes().children(parent, null).thenAccept(children -> judge(session, parent, children, sentNanos));
    }

    private void judge(Session session, String parent, List<String> children, long sentNanos) {
        List<HeldClaim> waiting = claims.waiting(session, parent);
        if (!waiting.isEmpty()) {
            Line line = lines.of(waiting.get(0).claim.resource(), children);
            waiting.forEach(own -> judge(own, line, sentNanos));
        }
    }

    private void judge(HeldClaim own, Line line, long sentNanos) {
        if (!line.has(own.node())) {
            if (claims.end(own)) {
                listener.changed(own.claim.resource());
            }
        } else if (!line.holds(own.node())) {
            watch(own, line);
        } else {
            serve(own, sentNanos);
        }
    }

    /** Grants what the session is certain to last for. If that is nothing, the engine will ask. */
    private void serve(HeldClaim own, long startNanos) {
        Duration left = own.session.left(own.claim.lease(), startNanos);
        if (left.isNegative()) {
            return;
        }
        if (claims.isServed(own, left)) {
            listener.granted(own.claim.id(), own.token, left, startNanos);
        }
    }
}
