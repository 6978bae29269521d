package io.holdfast.cli;

import io.holdfast.LockClient;
import io.holdfast.LockException;
import io.holdfast.LockStatus;
import io.holdfast.cli.screen.Json;
import io.holdfast.cli.screen.Screen;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What happens to a lock, as it happens. */
@Command(
        name = "watch",
        description = {
            "Says when NAME is acquired, released, broken or lost, by whomever, until Ctrl-C.",
            "",
            "It looks every --interval, so what is shorter than that can be missed. 'broken' is an end by 'break', or by"
                    + " whoever else takes locks away; 'released' any other one before the lease ran out; 'lost' is a lease that"
                    + " nobody renewed. A quorum and ZooKeeper do not remember who ended a lock: there 'released' may be 'broken'."
        },
        mixinStandardHelpOptions = true)
final class WatchCommand implements Callable<Integer> {
    private final Screen screen;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Mixin
    private final NameOptions lock = new NameOptions();

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            defaultValue = "200ms",
            description = "How often to look. Default: ${DEFAULT-VALUE}.")
    private Duration interval = Duration.ofMillis(200);

    @Option(names = "--json", description = "One JSON object per event and line.")
    private boolean json;

    private final Map<String, Seen> held = new LinkedHashMap<>();

    WatchCommand(Screen screen) {
        this.screen = screen;
    }

    /** A hold as it was last seen, and when. */
    private record Seen(LockStatus status, LockStatus.Holder holder, long atNanos) {

        /** A lease that ran out, if nobody renewed it after we looked. */
        boolean isRunOut(long nowNanos) {
            return nowNanos - atNanos >= holder.left().toNanos();
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        Refreshing.checkInterval(interval);
        try (LockClient locks = store.connect(screen)) {
            boolean outage = false;
            while (true) {
                try {
                    look(locks);
                    if (outage) {
                        screen.note("the store answers again");
                    }
                    outage = false;
                } catch (LockException trouble) {
                    if (!outage) {
                        screen.note(String.valueOf(trouble.getMessage()));
                    }
                    outage = true;
                }
                Thread.sleep(interval.toMillis());
            }
        }
    }

    private void look(LockClient locks) {
        long beforeNanos = System.nanoTime();
        Map<String, Seen> now = new LinkedHashMap<>();
        for (LockStatus status : lock.find(locks)) {
            for (LockStatus.Holder holder : status.holders()) {
                String key = status.kind() + " " + holder.client().id() + " " + holder.claim();
                now.put(key, new Seen(status, holder, beforeNanos));
            }
        }
        long afterNanos = System.nanoTime();
        Map<Seen, String> endings = new LinkedHashMap<>(); // all are known before the first is told
        held.forEach((key, seen) -> {
            if (!now.containsKey(key)) {
                endings.put(seen, ending(locks, seen, afterNanos));
            }
        });
        endings.forEach((seen, what) -> event(what, seen));
        now.forEach((key, seen) -> {
            if (!held.containsKey(key)) {
                event("acquired", seen);
            }
        });
        held.clear();
        held.putAll(now);
    }

    private static String ending(LockClient locks, Seen seen, long nowNanos) {
        boolean broken = locks.inspector().wasBroken(seen.status(), seen.holder());
        return broken ? "broken" : seen.isRunOut(nowNanos) ? "lost" : "released";
    }

    private void event(String what, Seen seen) {
        Instant time = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        if (json) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("time", time);
            fields.put("event", what);
            fields.put("name", lock.name());
            fields.put("kind", Statuses.kind(seen.status().kind()));
            fields.putAll(Statuses.json(seen.holder()));
            screen.line(Json.text(fields));
            return;
        }
        Screen.Style style = switch (what) {
            case "acquired" -> Screen.Style.GREEN;
            case "lost", "broken" -> Screen.Style.RED;
            default -> Screen.Style.DIM;
        };
        screen.line(time + "  " + screen.styled(style, String.format("%-8s", what)) + "  "
                + Statuses.share(seen.status(), seen.holder()) + "  token "
                + seen.holder().token() + "  "
                + Statuses.who(seen.holder().client(), seen.holder().label())
                + (what.equals("acquired") ? "" : ", held for " + Statuses.heldFor(seen.holder())));
    }
}
