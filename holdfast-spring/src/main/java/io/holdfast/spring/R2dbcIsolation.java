package io.holdfast.spring;

import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.IsolationLevel;
import java.util.Optional;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.r2dbc.connection.ConnectionHolder;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;

/** Asks the R2DBC connections of a transaction how they are isolated. */
final class R2dbcIsolation {
    private R2dbcIsolation() {}

    /** Returns the level of one that sees a snapshot, if there is one. */
    static Optional<String> strict(TransactionSynchronizationManager manager, BeanFactory beans) {
        return beans.getBeanProvider(ConnectionFactory.class).stream()
                .map(manager::getResource)
                .filter(ConnectionHolder.class::isInstance)
                .map(holder -> ((ConnectionHolder) holder).getConnection().getTransactionIsolationLevel())
                .filter(R2dbcIsolation::isStrict)
                .map(IsolationLevel::asSql)
                .findFirst();
    }

    private static boolean isStrict(IsolationLevel level) {
        return !level.equals(IsolationLevel.READ_COMMITTED) && !level.equals(IsolationLevel.READ_UNCOMMITTED);
    }
}
