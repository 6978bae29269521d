package io.holdfast.spec.guard;

import java.util.List;

/**
 * A state: two servers, of which one follows the other, the link between them, and the clients. Every client reaches
 * every server whenever it runs, which is more than a partition allows.
 */
final class World {
    /**
     * A state in two numbers, the same for states that differ in the names of clients only.
     *
     * @param servers the servers and the link
     * @param clients the clients
     */
    record Key(long servers, long clients) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int first = Long.compare(servers, other.servers);
            return first != 0 ? first : Long.compare(clients, other.clients);
        }

        /** Spread well: there are millions, and they differ in few bits. */
        @Override
        public int hashCode() {
            long mixed = (servers * SPREAD ^ clients) * SPREAD;
            return (int) (mixed >>> Integer.SIZE);
        }

        private static final long SPREAD = 0x9E3779B97F4A7C15L;
    }

    final Server[] servers;
    final Client[] clients;

    /** Whether the two servers reach each other. */
    boolean linked = true;

    /** The newest incarnation. */
    int newest = 1;

    private World(Server[] servers, Client[] clients) {
        this.servers = servers;
        this.clients = clients;
    }

    /** A is the master, B follows it, everybody has shaken hands with A. */
    static World first(Rules rules) {
        Server a = new Server();
        a.incarnation = 1;
        a.marked = true;
        a.writes = rules.lag;
        Client[] clients = new Client[rules.clients];
        for (int c = 0; c < clients.length; c++) {
            clients[c] = new Client(new Client.Session(), new Client.Session());
            clients[c].sessions[0].incarnation = 1;
        }
        return new World(new Server[] {a, new Server()}, clients);
    }

    World copy() {
        Client[] copies = new Client[clients.length];
        for (int c = 0; c < copies.length; c++) {
            copies[c] = clients[c].copy();
        }
        World copy = new World(new Server[] {servers[0].copy(), servers[1].copy()}, copies);
        copy.linked = linked;
        copy.newest = newest;
        return copy;
    }

    boolean isNewest(int s) {
        return servers[s].incarnation == newest;
    }

    /**
     * Whether a replica follows this master: the other server, or, while that is not its replica, one that is not in
     * this model.
     */
    boolean isFollowed(int s) {
        Server other = servers[1 - s];
        return isNewest(s) && (other.isMaster() || (linked && !other.stopped));
    }

    /** The claim of this client is over; what servers still have of it, nobody believes in. */
    void end(int c) {
        clients[c].lose();
        forget(c);
    }

    /** What servers have of an earlier claim is not this one's. */
    void forget(int c) {
        for (Server server : servers) {
            if (server.owner == Server.FIRST + c) {
                server.owner = Server.GHOST;
            }
        }
    }

    /** Whether more than one client believes in a lease. */
    boolean isBroken() {
        int holders = 0;
        for (Client client : clients) {
            holders += client.holds() ? 1 : 0;
        }
        return holders > 1;
    }

    /** The least of all numberings of the clients. */
    Key key(List<int[]> numberings) {
        Key least = key(numberings.get(0));
        for (int[] numbering : numberings.subList(1, numberings.size())) {
            Key key = key(numbering);
            least = key.compareTo(least) < 0 ? key : least;
        }
        return least;
    }

    private Key key(int[] numbering) {
        long first = Packed.add(linked ? 1 : 0, newest, 2);
        for (Server server : servers) {
            first = Packed.add(first, server.incarnation, 2);
            first = Packed.add(first, renamed(server.owner, numbering), 3);
            first = Packed.add(first, server.left, 3);
            first = Packed.add(first, renamed(server.line, numbering), 3);
            first = Packed.add(first, server.marked);
            first = Packed.add(first, server.shut, 4);
            first = Packed.add(first, server.writes, 3);
            first = Packed.add(first, server.stopped);
        }
        long second = 0;
        for (int place = 0; place < clients.length; place++) {
            Client client = clients[at(place, numbering)];
            second = Packed.add(second, client.valid, 3);
            second = Packed.add(second, client.by, 2);
            second = Packed.add(second, client.whole);
            for (Client.Session session : client.sessions) {
                second = Packed.add(second, session.incarnation, 2);
                second = Packed.add(second, session.since, 2);
                second = Packed.add(second, session.proof, 3);
            }
        }
        return new Key(first, second);
    }

    private static int renamed(int claim, int[] numbering) {
        return claim < Server.FIRST ? claim : Server.FIRST + numbering[claim - Server.FIRST];
    }

    /** Which client has this place in a numbering. */
    private static int at(int place, int[] numbering) {
        int c = 0;
        while (numbering[c] != place) {
            c++;
        }
        return c;
    }

    /** Numbers side by side. */
    private static final class Packed {
        static long add(long packed, int value, int bits) {
            if (value < 0 || value >> bits != 0) {
                throw new IllegalStateException(value + " does not fit into " + bits + " bits");
            }
            return packed << bits | value;
        }

        static long add(long packed, boolean value) {
            return packed << 1 | (value ? 1 : 0);
        }
    }
}
