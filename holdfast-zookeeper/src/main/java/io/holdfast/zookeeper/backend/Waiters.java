package io.holdfast.zookeeper.backend;

import io.holdfast.LockKind;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import io.holdfast.zookeeper.line.Line;
import io.holdfast.zookeeper.line.Member;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;

/**
 * Tells claims that wait when they are served. A claim for all of something watches the one right before it, so that an
 * end wakes one and not all; claims that share watch the children of the resource, once for all of this client.
 *
 * <p>An event leads to one look, and the look to a grant or to the next watch. A watch that never comes costs a poll:
 * the engine asks every second.
 */
final class Waiters {
    private final Paths paths;
    private final Lines lines;
    private final OwnClaims claims;
    private final BackendListener listener;
    private final TimeSource time;

    /** The resources whose children are watched by a session that lives. */
    private final Set<Watched> watched = ConcurrentHashMap.newKeySet();

    private record Watched(Session session, String path) {}

    Waiters(Paths paths, Lines lines, OwnClaims claims, BackendListener listener, TimeSource time) {
        this.paths = paths;
        this.lines = lines;
        this.claims = claims;
        this.listener = listener;
        this.time = time;
    }

    /** Watches for a claim that waits in this line. */
    void watch(OwnClaim own, Line line) {
        if (isAlone(own.claim.resource())) {
            line.before(node(own)).ifPresent(before -> watchBefore(own, before));
        } else {
            watchChildren(own.session, own.claim.resource());
        }
    }

    private static boolean isAlone(Resource resource) {
        return resource.kind() == LockKind.LOCK || resource.kind() == LockKind.ELECTION;
    }

    static String node(OwnClaim own) {
        String path = Objects.requireNonNull(own.path);
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private void watchBefore(OwnClaim own, Member before) {
        if (!claims.watches(own, before.node())) {
            return;
        }
        String path = paths.of(own.claim.resource()) + '/' + before.node();
        own.session.nodes().exists(path, event -> beforeChanged(own, event)).whenComplete((stat, failure) -> {
            if (failure != null) {
                claims.watches(own, null);
            } else if (stat == null) {
                look(own);
            }
        });
    }

    private void beforeChanged(OwnClaim own, WatchedEvent event) {
        if (event.getType() == EventType.NodeDeleted) {
            look(own);
        }
    }

    private void watchChildren(Session session, Resource resource) {
        String path = paths.of(resource);
        Watched watch = new Watched(session, path);
        if (!watched.add(watch)) {
            return;
        }
        long sentNanos = time.nanoTime();
        session.nodes()
                .children(path, event -> childrenChanged(watch, resource, event))
                .whenComplete((children, failure) -> {
                    if (failure != null) {
                        watched.remove(watch);
                    } else {
                        Line line = lines.of(resource, children);
                        waiting(session, path).forEach(own -> judge(own, line, sentNanos));
                    }
                });
    }

    private List<OwnClaim> waiting(Session session, String path) {
        return claims.waiting(
                own -> own.session == session && paths.of(own.claim.resource()).equals(path));
    }

    private void childrenChanged(Watched watch, Resource resource, WatchedEvent event) {
        if (event.getType() == EventType.None) {
            return;
        }
        watched.remove(watch);
        if (!waiting(watch.session, watch.path).isEmpty()) {
            watchChildren(watch.session, resource);
        }
    }

    /** The session has ended, and its watches with it. */
    void ended(Session session) {
        watched.removeIf(watch -> watch.session == session);
    }

    private void look(OwnClaim own) {
        long sentNanos = time.nanoTime();
        own.session
                .nodes()
                .children(paths.of(own.claim.resource()), null)
                .thenAccept(children -> judge(own, lines.of(own.claim.resource(), children), sentNanos));
    }

    private void judge(OwnClaim own, Line line, long sentNanos) {
        if (!line.has(node(own))) {
            if (claims.end(own)) {
                listener.changed(own.claim.resource());
            }
        } else if (!line.holds(node(own))) {
            watch(own, line);
        } else {
            serve(own, sentNanos);
        }
    }

    /** Grants what the session is certain to last for. If that is nothing, the engine will ask. */
    private void serve(OwnClaim own, long startNanos) {
        Duration left = own.session.left(own.claim.lease(), startNanos);
        if (left.isNegative()) {
            return;
        }
        if (claims.isServed(own, left)) {
            listener.granted(own.claim.id(), own.token, left, startNanos);
        }
    }
}
