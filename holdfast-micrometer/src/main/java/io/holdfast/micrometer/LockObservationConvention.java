package io.holdfast.micrometer;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * How an observed call under a lock is named and tagged. Each method has the usual answer; a class of the application
 * changes what it wants to.
 *
 * <p><b>Guarantees.</b> The usual low cardinality values are {@code lock.group}, {@code lock.kind} and
 * {@code lock.outcome}, of which there are few; {@code lock.name} and {@code lock.token} are of high cardinality and
 * become no tag of a meter.
 *
 * <p><b>Implementing.</b> For users: this interface will not get an abstract method.
 *
 * @since 0.1
 */
public interface LockObservationConvention extends ObservationConvention<LockObservationContext> {

    /** The name of the observation. */
    String NAME = "holdfast.locked";

    /** The usual answers. */
    LockObservationConvention DEFAULT = new LockObservationConvention() {};

    @Override
    default String getName() {
        return NAME;
    }

    @Override
    default String getContextualName(LockObservationContext context) {
        return "locked " + context.group();
    }

    @Override
    default KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
        return KeyValues.of(
                KeyValue.of("lock.group", context.group()),
                KeyValue.of("lock.kind", context.kind()),
                KeyValue.of("lock.outcome", context.outcome()));
    }

    @Override
    default KeyValues getHighCardinalityKeyValues(LockObservationContext context) {
        KeyValues values = KeyValues.of("lock.name", String.join(",", context.names()));
        return context.token().isEmpty()
                ? values
                : values.and("lock.token", String.valueOf(context.token().getAsLong()));
    }

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof LockObservationContext;
    }
}
