package io.holdfast.torture;

import io.holdfast.testing.redis.FaultProxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/** What happens to messages on their way, on any wire. */
final class WireFaults {
    /** Chooses wires, does something to them for a while, heals them, and says what it did to which. */
    interface Wires {
        String during(Rng rng, String what, long millis, Consumer<FaultProxy> fault);
    }

    private final Wires wires;

    WireFaults(Wires wires) {
        this.wires = wires;
    }

    private static boolean isScript(List<String> request) {
        return request.get(0).equalsIgnoreCase("EVALSHA");
    }

    String loseReplies(Rng rng) {
        int count = (int) rng.between(1, 10);
        boolean closing = rng.chance(50);
        return wires.during(
                rng,
                count + " replies lost" + (closing ? ", connections closed" : ""),
                rng.between(300, 2_000),
                proxy -> {
                    if (closing) {
                        proxy.closeInsteadOfReply(count, WireFaults::isScript);
                    } else {
                        proxy.dropReplies(count, WireFaults::isScript);
                    }
                });
    }

    String delayRequests(Rng rng) {
        if (rng.chance(50)) {
            return wires.during(
                    rng, "requests held", rng.between(50, 4_000), proxy -> proxy.holdRequests(WireFaults::isScript));
        }
        long millis = rng.between(1, 1_500);
        return wires.during(
                rng,
                "requests " + millis + " ms late",
                rng.between(1_000, 3_000),
                proxy -> proxy.delayRequests(Duration.ofMillis(millis)));
    }

    String cut(Rng rng) {
        long millis = rng.between(100, 4_000);
        return switch (rng.below(5)) {
            case 0 -> wires.during(rng, "requests cut", millis, FaultProxy::cutRequests);
            case 1 -> wires.during(rng, "replies cut", millis, FaultProxy::cutReplies);
            case 2 -> wires.during(rng, "half open", millis, FaultProxy::halfOpen);
            case 3 -> wires.during(rng, "reset", 0, FaultProxy::reset);
            default -> wires.during(rng, "reset and refused", millis, WireFaults::refuse);
        };
    }

    static void refuse(FaultProxy proxy) {
        proxy.refuse();
        proxy.reset();
    }

    /** What is sent for a moment arrives a second time, at once or later. */
    static String repeatRequests(Rng rng, List<Integer> workers, List<FaultProxy> theirs) {
        theirs.forEach(proxy -> proxy.duplicateRequests(WireFaults::isScript));
        Threads.sleep(rng.between(50, 300));
        theirs.forEach(FaultProxy::heal);
        long millis = rng.chance(50) ? 0 : rng.between(1, 3_000);
        int captured = theirs.stream().mapToInt(FaultProxy::captured).sum();
        long lost = theirs.stream().map(proxy -> proxy.replayCaptured(Duration.ofMillis(millis))).toList().stream()
                .filter(replay -> !arrives(replay))
                .count();
        return captured + " requests of workers " + workers + " repeated after " + millis + " ms"
                + (lost == 0 ? "" : ", not all on " + lost + " wires");
    }

    /** A second copy is lost if the server is down. */
    private static boolean arrives(CompletableFuture<?> replay) {
        try {
            replay.join();
            return true;
        } catch (CompletionException down) {
            return false;
        }
    }
}
