package io.holdfast.simulation;

import io.holdfast.spi.BackendListener;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Messages from the store on their way to one client. They arrive as events of that client, never inside a call of
 * another.
 */
final class SimListener implements BackendListener {
    private final SimWorld world;
    private final SimProcess process;
    private final Network network;
    private final Rng rng;
    private final BackendListener target;
    private final Style style;
    private final Sabotage sabotage;
    private final Consumer<ClaimId> heard;

    /** @param heard is told of grants that arrive */
    SimListener(
            SimBackend.Setting setting, SimProcess process, Rng rng, BackendListener target, Consumer<ClaimId> heard) {
        this.world = setting.world();
        this.network = setting.network();
        this.style = setting.style();
        this.sabotage = setting.sabotage();
        this.process = process;
        this.rng = rng;
        this.target = target;
        this.heard = heard;
    }

    @Override
    public void granted(ClaimId claim, long token, Duration left, long startNanos) {
        if (style == Style.SILENT) {
            return;
        }
        push("hears of the grant to " + claim, () -> {
            heard.accept(claim);
            boolean counts = sabotage == Sabotage.PUSH_COUNTS_FROM_ARRIVAL;
            target.granted(claim, token, left, counts ? process.clocks().nanoTime() : startNanos);
        });
    }

    @Override
    public void changed(Resource resource) {
        push("hears of a change of " + resource.name(), () -> target.changed(resource));
    }

    @Override
    public void missed() {
        push("hears that it missed messages", target::missed);
    }

    private void push(String what, Runnable message) {
        for (long afterNanos : network.pushes(process, rng)) {
            world.post(process, world.now() + afterNanos, () -> {
                world.trace(process.name(), what);
                message.run();
            });
        }
    }
}
