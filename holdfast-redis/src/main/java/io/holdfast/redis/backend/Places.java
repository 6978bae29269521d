package io.holdfast.redis.backend;

import io.holdfast.redis.backend.OwnLines.Place;
import io.holdfast.redis.protocol.Bytes;
import io.holdfast.redis.protocol.Keys;
import io.holdfast.redis.protocol.Replies;
import io.holdfast.redis.protocol.Scripts.Name;
import io.holdfast.redis.servers.Answer;
import io.holdfast.redis.servers.Node;
import io.holdfast.redis.servers.NodeCaller;
import io.holdfast.redis.servers.Session;
import io.holdfast.redis.settings.RedisSettings;
import io.holdfast.redis.settings.Timing;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the places of a crowd alive together. Everybody in a line asks once a second, and most would hear that nothing
 * has changed for them. In a crowd one of them asks for all, with a call for each {@link #MOST_TOGETHER}, and the
 * others are answered from what it heard.
 *
 * <p>Whoever is no longer in the line asks the server itself, at once; and so does the first of ours if there may be
 * room. The first places of a line, and whoever was not heard of for {@link #MOST_AGE_NANOS}, ask the server in any
 * case: so a round that fails costs nobody the place.
 */
final class Places {
    private static final System.Logger LOG = System.getLogger("io.holdfast.redis");
    private static final int MOST_TOGETHER = 500;

    /** How old a server's word is when it is time to ask again. */
    private static final long DUE_NANOS = 900_000_000;

    /** Who is due so soon is asked for along with the others. */
    private static final long SOON_NANOS = DUE_NANOS * 2 / 3;

    /** Nobody is answered with what is older. After that there is time for one more question before a place ends. */
    private static final long MOST_AGE_NANOS = 1_750_000_000;

    /** The same while somebody asks for all. */
    private static final long MOST_AGE_MEANWHILE_NANOS = 2_500_000_000L;

    /** These ask the server: they are served next, and they find out that a holder's lease is over. */
    private static final int FIRST_PLACES = 2;

    private static final long NANOS_PER_MICRO = 1_000;

    private final NodeCaller caller;
    private final RedisSettings settings;
    private final Timing time;
    private final OwnLines lines;
    private final ServerTimes serverTimes;
    private final BackendListener listener;

    Places(
            NodeCaller caller,
            RedisSettings settings,
            OwnLines lines,
            ServerTimes serverTimes,
            BackendListener listener) {
        this.caller = caller;
        this.settings = settings;
        this.time = settings.time();
        this.lines = lines;
        this.serverTimes = serverTimes;
        this.listener = listener;
    }

    /** The server's answer to a claim that asks again, as far as it is known; null if the server has to be asked. */
    @Nullable
    AttemptResult known(Claim claim, Duration patience) {
        Place place = lines.get(claim.id());
        if (place == null || !place.line().isCrowd()) {
            return null;
        }
        boolean isDue = ageNanos(place) > DUE_NANOS && patience.compareTo(settings.requestTimeout()) >= 0;
        if (isDue && isKnown(place) && place.line().begin()) {
            try {
                keep(place);
            } finally {
                place.line().done();
            }
            place = lines.get(claim.id());
        }
        return place == null || !isKnown(place) || place.number() <= FIRST_PLACES
                ? null
                : new AttemptResult.Queued(place.number(), left(place), true);
    }

    private long ageNanos(Place place) {
        return time.nanos() - place.seenNanos();
    }

    /** Whether it is recent, and the client still hears what that server says. */
    private boolean isKnown(Place place) {
        Node node = place.node();
        Session now = node.current();
        return now != null
                && ageNanos(place) < (place.line().isBegun() ? MOST_AGE_MEANWHILE_NANOS : MOST_AGE_NANOS)
                && place.isAt(node, now)
                && node.subscription().listens(now)
                && !now.isShut(place.line().key(), time.nanos());
    }

    private Duration left(Place place) {
        Duration left = place.left().minusNanos(ageNanos(place));
        return left.compareTo(Duration.ofMillis(1)) < 0 ? Duration.ofMillis(1) : left;
    }

    private void keep(Place asker) {
        List<Place> all = lines.unheard(asker.line(), time.nanos() - SOON_NANOS);
        List<Runnable> calls = new ArrayList<>();
        for (int from = 0; from < all.size(); from += MOST_TOGETHER) {
            calls.add(begun(asker, all.subList(from, Math.min(all.size(), from + MOST_TOGETHER))));
        }
        calls.forEach(Runnable::run);
    }

    /** Asks for some of the places. What it returns reads the answer, and must be run. Never throws. */
    private Runnable begun(Place asker, List<Place> places) {
        String key = asker.line().key();
        long untilNanos = time.until(settings.requestTimeout());
        NodeCaller.Command command = (node, session) -> command(node, session, asker, places);
        try {
            NodeCaller.Sent sent = caller.send(key, untilNanos, command);
            return () -> guarded(asker, () -> {
                Answer answer = sent == null
                        ? caller.call(key, untilNanos, command)
                        : caller.receive(sent, key, untilNanos, command);
                read(answer, asker, places);
            });
        } catch (RuntimeException failure) {
            return () -> guarded(asker, () -> {
                throw failure;
            });
        }
    }

    private void guarded(Place asker, Runnable call) {
        try {
            call.run();
        } catch (Moved elsewhere) {
            lines.forget(asker.claim().id());
        } catch (RuntimeException failure) { // whoever is not told of in time asks itself
            LOG.log(Level.DEBUG, () -> "places at " + asker.line().key() + " were not kept: " + failure.getMessage());
        }
    }

    /** Another server has the line now, and tells nobody of ours when it is served. */
    private static final class Moved extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Moved() {
            super(null, null, false, false);
        }
    }

    private static byte[][] command(Node node, Session session, Place asker, List<Place> places) {
        if (!asker.isAt(node, session)) {
            throw new Moved();
        }
        byte[][] call = session.call(Name.LINE_KEEP, Bytes.of(asker.line().key()), 1 + places.size());
        call[Session.WORDS] = Bytes.of(asker.claim().id().client());
        for (int i = 0; i < places.size(); i++) {
            call[Session.WORDS + 1 + i] =
                    Bytes.of(Keys.claimOfClient(places.get(i).claim()));
        }
        return call;
    }

    private void read(Answer answer, Place asker, List<Place> places) {
        List<?> reply = answer.list();
        serverTimes.learn(answer, Replies.number(reply.get(0)));
        answer.session().following().use();
        Duration left = Duration.ofNanos(Replies.number(reply.get(1)) * NANOS_PER_MICRO);
        Place first = null;
        for (int i = 0; i < places.size(); i++) {
            int number = (int) Math.min(Integer.MAX_VALUE, Replies.number(reply.get(i + 2)));
            Place place = places.get(i).seen(number, left, answer.sentNanos());
            if (number == 0 || !place.isAt(answer.node(), answer.session())) {
                mustAsk(place, asker);
                continue;
            }
            lines.saw(place);
            first = first == null || number < first.number() ? place : first;
        }
        if (left.isZero() && first != null) {
            mustAsk(first, asker);
        }
    }

    private void mustAsk(Place place, Place asker) {
        lines.forget(place.claim().id());
        if (!place.claim().id().equals(asker.claim().id())) { // which asks anyway
            listener.served(place.claim().id());
        }
    }
}
