package io.holdfast.cli;

import io.holdfast.Finding;
import io.holdfast.LockClient;
import io.holdfast.jdbc.JdbcLocksBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tables of a database.
 *
 * @param environment what a command that is started from here must be told; the password it has already
 */
record JdbcStore(JdbcLocksBuilder builder, Map<String, String> environment) implements Store {
    @Override
    public LockClient connect() {
        return builder.connect();
    }

    @Override
    public Optional<Duration> leaseLimit() {
        return builder.leaseLimit();
    }

    @Override
    public List<Finding> examine() {
        return builder.examine();
    }
}
