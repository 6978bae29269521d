package io.holdfast.torture;

import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Listens to one client: every lease that was acquired must be released once or lost once. An end may be told before
 * its beginning: the watchdog does not wait for a listener that has not been called yet.
 */
final class CountChecker implements LockListener {
    private record Key(String name, long token) {}

    /** What was told of a lease whose story is not complete. */
    private static final class Told {
        private int beginnings;
        private int ends;
    }

    private final Map<Key, Told> open = new HashMap<>();
    private final List<String> wrong = new ArrayList<>();
    private long acquired;
    private long released;
    private long lost;

    @Override
    public synchronized void on(LockEvent event) {
        if (event instanceof LockEvent.Acquired gained) {
            acquired++;
            told(event, gained.token(), 1, 0);
        } else if (event instanceof LockEvent.Released given) {
            released++;
            told(event, given.token(), 0, 1);
        } else if (event instanceof LockEvent.Lost gone) {
            lost++;
            told(event, gone.token(), 0, 1);
        }
    }

    private void told(LockEvent event, long token, int beginnings, int ends) {
        Key key = new Key(event.name(), token);
        Told told = open.computeIfAbsent(key, fresh -> new Told());
        told.beginnings += beginnings;
        told.ends += ends;
        if (told.beginnings > 1 || told.ends > 1) {
            wrong.add("told a second time: " + event);
        } else if (told.beginnings == 1 && told.ends == 1) {
            open.remove(key);
        }
    }

    /** What is wrong now that the client is closed. */
    synchronized List<String> complaints() {
        List<String> all = new ArrayList<>(wrong);
        open.forEach((key, told) ->
                all.add((told.ends == 0 ? "acquired, neither released nor lost: " : "ended, never acquired: ") + key));
        if (acquired != released + lost) {
            all.add("acquired " + acquired + ", released " + released + ", lost " + lost);
        }
        return all;
    }

    synchronized long acquired() {
        return acquired;
    }

    synchronized long released() {
        return released;
    }

    synchronized long lost() {
        return lost;
    }
}
