package io.holdfast.testing;

import io.holdfast.spi.BackendListener;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.ClientLine;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Does to pushed messages what {@link FaultyBackend} does to requests. */
final class FaultyListener implements BackendListener {
    private final BackendListener target;
    private final Function<Call, Fault> faults;
    private final BiConsumer<Runnable, Duration> later;

    FaultyListener(BackendListener target, Function<Call, Fault> faults, BiConsumer<Runnable, Duration> later) {
        this.target = target;
        this.faults = faults;
        this.later = later;
    }

    @Override
    public void granted(ClaimId claim, long token, Duration left, long startNanos) {
        push(new Call.Granted(claim), () -> target.granted(claim, token, left, startNanos));
    }

    @Override
    public void changed(Resource resource) {
        push(new Call.Changed(resource), () -> target.changed(resource));
    }

    @Override
    public void missed() {
        push(new Call.Missed(), target::missed);
    }

    @Override
    public List<ClientLine> lines() {
        return target.lines();
    }

    private void push(Call call, Runnable message) {
        Fault fault = faults.apply(call);
        if (fault instanceof Fault.Down || fault instanceof Fault.Refusal) {
            return;
        }
        if (fault instanceof Fault.Late late) {
            later.accept(message, late.by());
            return;
        }
        if (fault instanceof Fault.Forget forget) {
            forget.forgetting().run();
        }
        if (fault instanceof Fault.SlowReply slow) {
            slow.waiting().run();
        }
        message.run();
        if (fault instanceof Fault.Duplicate duplicate) {
            later.accept(message, duplicate.after());
        }
    }
}
