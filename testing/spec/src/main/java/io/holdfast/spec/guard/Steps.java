package io.holdfast.spec.guard;

import io.holdfast.spec.guard.Client.Session;
import io.holdfast.spec.guard.Rules.Stop;

/**
 * Everything that can happen next. A request is one step, at the moment when the server executes it: it was sent up to
 * {@link Rules#delay} before, and the client's lease counts from there. Nothing has to happen: requests, messages and
 * copies to the replica are lost by not being taken, and a client that stands still takes no step. Only the time passes
 * for all.
 */
final class Steps {
    /** Gets what can happen. */
    interface Sink {
        void found(String kind, String details, World world);
    }

    private static final String[] SERVERS = {"A", "B"};

    private final Rules rules;
    private final Sink sink;

    Steps(Rules rules, Sink sink) {
        this.rules = rules;
        this.sink = sink;
    }

    void from(World world) {
        sink.found("time passes", "", Time.passes(world, rules));
        link(world);
        for (int s = 0; s < 2; s++) {
            replication(world, s);
            stops(world, s);
            for (int c = 0; c < world.clients.length; c++) {
                handshake(world, c, s);
                if (world.clients[c].holds()) {
                    goesOn(world, c, s);
                } else {
                    wants(world, c, s);
                }
                lateRelease(world, c, s);
            }
        }
        for (int c = 0; c < world.clients.length; c++) {
            if (world.clients[c].holds()) {
                World next = world.copy();
                next.end(c);
                sink.found("gives up", of(c), next);
            }
        }
    }

    // The servers.

    private void link(World world) {
        World next = world.copy();
        next.linked = !world.linked;
        sink.found(world.linked ? "link cut" : "link heals", "", next);
    }

    private void replication(World world, int s) {
        Server server = world.servers[s];
        Server other = world.servers[1 - s];
        if (server.stopped) {
            return;
        }
        if (!server.isMaster() && world.newest <= rules.failovers) {
            World next = world.copy();
            promote(next, s);
            sink.found("promoted", at(s), next);
        }
        boolean reached = world.isNewest(1 - s) && world.linked && !other.stopped;
        if (reached && server.isMaster()) {
            World next = world.copy();
            demote(next, s);
            sink.found("demoted", at(s), next);
        } else if (reached) {
            World next = world.copy();
            next.servers[s].take(other);
            sink.found("replicated", at(s), next);
        }
    }

    private void promote(World next, int s) {
        Server server = next.servers[s];
        server.incarnation = ++next.newest;
        server.marked = false;
        server.shut = 0;
        server.writes = rules.lag;
    }

    /** Becomes a replica of the newest master, and gets its data. */
    private void demote(World next, int s) {
        Server server = next.servers[s];
        server.incarnation = 0;
        server.marked = false;
        server.shut = 0;
        server.writes = 0;
        server.take(next.servers[1 - s]);
        if (rules.cutWhenDemoted) {
            for (Client client : next.clients) {
                client.sessions[s].end();
            }
        }
    }

    private void stops(World world, int s) {
        Server server = world.servers[s];
        if (rules.stop == Stop.NEVER || !server.isMaster()) {
            return;
        }
        World next = world.copy();
        Server changed = next.servers[s];
        changed.stopped = !server.stopped;
        if (server.stopped && rules.stop == Stop.COUNTED_LATE) {
            changed.writes = Math.max(1, server.writes);
        }
        sink.found(server.stopped ? "resumes" : "stops", at(s), next);
    }

    // What a client needs before it asks for anything.

    private void handshake(World world, int c, int s) {
        Server server = world.servers[s];
        Session session = world.clients[c].sessions[s];
        boolean known = session.incarnation == server.incarnation;
        boolean wanted = !known || session.proof > 0;
        if (!wanted || !server.canWrite() || (rules.proof > 0 && !world.isFollowed(s))) {
            return;
        }
        World next = world.copy();
        Session made = next.clients[c].sessions[s];
        made.incarnation = server.incarnation;
        made.since = known ? session.since : 0;
        made.proof = 0;
        if (!server.marked) {
            next.servers[s].marked = true;
            next.servers[s].shut = rules.shutWithRecord || server.isFree() ? rules.shut : 0;
        }
        sink.found(known ? "proves again" : "shakes hands", of(c, s), next);
    }

    private boolean proven(Session session) {
        return rules.proof == 0 || session.proof <= rules.proof + rules.delay;
    }

    private boolean canAsk(World world, int c, int s) {
        Session session = world.clients[c].sessions[s];
        return session.incarnation != 0 && world.servers[s].canWrite() && proven(session);
    }

    /** What a client believes that shook hands with this server, maybe in another life of it. */
    private static boolean isOpen(World world, int c, int s) {
        Server server = world.servers[s];
        return world.clients[c].sessions[s].incarnation != server.incarnation || server.shut == 0;
    }

    // A client that holds nothing.

    private void wants(World world, int c, int s) {
        Server server = world.servers[s];
        int claim = Server.FIRST + c;
        if (!canAsk(world, c, s) || !isOpen(world, c, s)) {
            return;
        }
        if (server.isFree() && (server.line == Server.NONE || server.line == claim)) {
            confirmed("granted", world, c, s);
        } else if (server.isFree()) {
            World next = world.copy();
            handOver("line served by", next, c, s);
        } else if (server.owner == claim) { // by a message that it did not believe
            confirmed("asks after a message", world, c, s);
        } else if (server.line == Server.NONE) {
            World next = world.copy();
            next.servers[s].line = claim;
            sink.found("waits", of(c, s), next);
        }
    }

    /** The server gives this client a whole lease. */
    private void confirmed(String kind, World world, int c, int s) {
        boolean fresh = !world.clients[c].holds() && world.servers[s].isFree();
        for (int late = 0; late <= rules.delay; late++) {
            World next = world.copy();
            if (fresh) {
                next.forget(c);
                next.servers[s].line = Server.NONE;
            }
            next.servers[s].grant(Server.FIRST + c, rules.lease);
            Client client = next.clients[c];
            client.believe(rules.lease - late, client.sessions[s].incarnation, isLengthAsked());
            sink.found(kind, of(c, s) + (late == 0 ? "" : ", sent " + late + " before"), next);
        }
    }

    private boolean isLengthAsked() {
        return rules.asked == Rules.Asked.PUT_BACKS_BY_LENGTH;
    }

    /**
     * Whoever is in the line gets it, by a script that client {@code c} called; and is told, and believes it, or not.
     */
    private void handOver(String kind, World next, int c, int s) {
        Server server = next.servers[s];
        int waiter = server.line - Server.FIRST;
        server.grant(server.line, rules.grant);
        server.line = Server.NONE;
        sink.found(kind, of(c, s), next);
        Client client = next.clients[waiter];
        Session session = client.sessions[s];
        boolean known = session.incarnation == next.clients[c].sessions[s].incarnation; // as the message says
        if (!client.holds() && known && (proven(session) || !rules.proofOfMessages)) {
            World heard = next.copy();
            heard.clients[waiter].believe(rules.grant, session.incarnation, false);
            sink.found("handed over: " + kind, of(c, s), heard);
        }
    }

    // A client that holds something.

    private void goesOn(World world, int c, int s) {
        Server server = world.servers[s];
        Client client = world.clients[c];
        Session session = client.sessions[s];
        boolean mine = server.owner == Server.FIRST + c;
        if (mine && session.incarnation != 0 && server.canWrite()) {
            World next = world.copy();
            next.end(c);
            freed("released", next, c, s);
        }
        if (!canAsk(world, c, s)) {
            return;
        }
        boolean moved = client.by != session.incarnation;
        if (mine && (rules.asked != Rules.Asked.ALL || cannotHaveBeenHandedOn(client, session))) {
            confirmed(moved ? "renewed elsewhere" : "renewed", world, c, s);
        }
        boolean shut = session.incarnation == server.incarnation && server.shut > 0;
        if (!mine && shut && mayPutBack(client, session)) {
            confirmed("put back", world, c, s);
        }
    }

    /**
     * The rule: confirmed by this incarnation, or for longer than an older one can have gone on since this one took
     * over.
     */
    private boolean cannotHaveBeenHandedOn(Client client, Session session) {
        return client.by == session.incarnation || client.valid + session.since >= rules.margin;
    }

    private boolean mayPutBack(Client client, Session session) {
        return switch (rules.asked) {
            case ALL, PUT_BACKS -> cannotHaveBeenHandedOn(client, session);
            case PUT_BACKS_BY_LENGTH -> client.whole && 2 * rules.lease >= 3 * rules.lag;
            case NOBODY -> true;
        };
    }

    // Releases.

    /** What nobody believes in any more is released, whenever that arrives. */
    private void lateRelease(World world, int c, int s) {
        Server server = world.servers[s];
        if (server.owner == Server.GHOST && world.clients[c].sessions[s].incarnation != 0 && server.canWrite()) {
            freed("released late", world.copy(), c, s);
        }
    }

    private void freed(String kind, World next, int c, int s) {
        Server server = next.servers[s];
        if (server.line != Server.NONE && (rules.shutServes || isOpen(next, c, s))) {
            handOver(kind, next, c, s);
        } else {
            server.grant(Server.NONE, 0);
            sink.found(kind, of(c, s), next);
        }
    }

    private static String of(int c) {
        return " " + (char) ('a' + c);
    }

    private static String at(int s) {
        return " " + SERVERS[s];
    }

    private static String of(int c, int s) {
        return of(c) + at(s);
    }
}
