package io.holdfast.spring;

import java.sql.Connection;
import java.sql.SQLException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Asks the connections of this thread's transaction, those of JPA too, how they are isolated. */
final class JdbcIsolation {
    private JdbcIsolation() {}

    /** Returns the strictest level, at least {@code least}. */
    static int strictest(int least) {
        int level = least;
        for (Object resource :
                TransactionSynchronizationManager.getResourceMap().values()) {
            // Every one of them: JPA does not mark the connection that it shows as part of the transaction.
            if (resource instanceof ConnectionHolder holder) {
                level = Math.max(level, of(holder));
            }
        }
        return level;
    }

    private static int of(ConnectionHolder holder) {
        Connection connection;
        try {
            connection = holder.getConnection();
        } catch (IllegalStateException none) { // given back while its transaction was suspended, and not wanted since
            return TransactionDefinition.ISOLATION_DEFAULT;
        }
        try {
            return connection.getTransactionIsolation();
        } catch (SQLException trouble) {
            throw new TransactionSystemException(
                    "the connection of the transaction does not say how it is isolated; nothing was locked or run",
                    trouble);
        }
    }
}
