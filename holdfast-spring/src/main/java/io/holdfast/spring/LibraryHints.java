package io.holdfast.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Says for native images which types are asked for by name at run time, to see whether a library is there. Without
 * this, a native image would find none of them, and a transaction would not be asked how it is isolated.
 */
final class LibraryHints implements RuntimeHintsRegistrar {
    static final List<String> ASKED_FOR = List.of(
            "io.holdfast.fence.JdbcFence",
            "javax.sql.DataSource",
            "org.springframework.integration.support.locks.DistributedLock",
            "org.springframework.jdbc.datasource.ConnectionHolder",
            "org.springframework.jdbc.datasource.DataSourceUtils",
            "org.springframework.r2dbc.connection.ConnectionHolder",
            "org.springframework.transaction.support.TransactionSynchronization",
            "reactor.core.publisher.Mono");

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        ASKED_FOR.forEach(type -> hints.reflection().registerTypeIfPresent(loader, type));
    }
}
