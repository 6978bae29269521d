package io.holdfast.spring.boot;

import io.holdfast.Lease;
import io.holdfast.LostReason;
import io.holdfast.micrometer.Groups;
import io.holdfast.micrometer.LockObservationContext;
import io.holdfast.micrometer.LockObservationConvention;
import io.holdfast.spring.LockedCall;
import io.holdfast.spring.LockedObserver;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Makes an observation {@code holdfast.locked} of each call under a lock. */
final class ObservedLocks implements LockedObserver {
    private final ObservationRegistry registry;
    private final @Nullable LockObservationConvention convention;
    private final Groups groups;

    ObservedLocks(ObservationRegistry registry, @Nullable LockObservationConvention convention, int maxGroups) {
        this.registry = registry;
        this.convention = convention;
        this.groups = new Groups(UnaryOperator.identity(), maxGroups);
    }

    @Override
    public Observed started(LockedCall call) {
        LockObservationContext context =
                new LockObservationContext(groups.of(call.group()), small(call.kind()), call.names());
        Observation observation =
                Observation.start(convention, LockObservationConvention.DEFAULT, () -> context, registry);
        return new ObservedCall(observation, context);
    }

    private static String small(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private record ObservedCall(Observation observation, LockObservationContext context) implements Observed {

        @Override
        public void acquired(List<Lease> leases) {
            if (!leases.isEmpty()) {
                context.acquired(leases.get(0).token());
            }
            observation.event(Observation.Event.of("acquired"));
        }

        @Override
        public void atRisk() {
            observation.event(Observation.Event.of("at-risk"));
        }

        @Override
        public void lost(LostReason reason) {
            observation.event(Observation.Event.of("lost", "lost: " + small(reason)));
        }

        @Override
        public Scope open() {
            Observation.Scope scope = observation.openScope();
            return scope::close;
        }

        @Override
        public Map<Object, Object> reactorContext() {
            return Map.of(ObservationThreadLocalAccessor.KEY, observation);
        }

        @Override
        public void ended(Outcome outcome, @Nullable Throwable failure) {
            context.outcome(small(outcome));
            if (failure != null) {
                observation.error(failure);
            }
            observation.stop();
        }
    }
}
