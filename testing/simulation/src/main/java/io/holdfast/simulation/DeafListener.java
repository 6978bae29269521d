package io.holdfast.simulation;

import io.holdfast.spi.BackendListener;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import java.time.Duration;

/** For a connection that only looks. */
final class DeafListener implements BackendListener {
    @Override
    public void granted(ClaimId claim, long token, Duration left, long startNanos) {}

    @Override
    public void changed(Resource resource) {}

    @Override
    public void missed() {}
}
