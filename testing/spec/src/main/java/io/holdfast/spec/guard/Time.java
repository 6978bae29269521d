package io.holdfast.spec.guard;

import io.holdfast.spec.guard.Client.Session;
import io.holdfast.spec.guard.Rules.Stop;

/** One tick: everything that is counted goes on. All times are counted from now, so that there is no end of time. */
final class Time {
    private Time() {}

    static World passes(World world, Rules rules) {
        World next = world.copy();
        for (int s = 0; s < 2; s++) {
            Server server = next.servers[s];
            server.left = less(server.left);
            server.shut = less(server.shut);
            server.writes = writes(world, s, rules);
        }
        for (int c = 0; c < next.clients.length; c++) {
            Client client = next.clients[c];
            if (client.valid == 1) {
                next.end(c);
            }
            client.valid = less(client.valid);
            for (Session session : client.sessions) {
                if (session.incarnation != 0) {
                    session.since = Math.min(rules.lag, session.since + 1);
                    session.proof = rules.proof == 0 ? 0 : Math.min(rules.proof + rules.delay + 1, session.proof + 1);
                }
            }
        }
        return next;
    }

    private static int writes(World world, int s, Rules rules) {
        Server server = world.servers[s];
        if (!server.isMaster()) {
            return 0;
        }
        if (world.isFollowed(s)) {
            return rules.lag;
        }
        return server.stopped && rules.stop == Stop.FROZEN ? server.writes : less(server.writes);
    }

    private static int less(int count) {
        return Math.max(0, count - 1);
    }
}
