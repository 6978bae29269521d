package io.holdfast.spring;

import io.holdfast.Lease;
import io.holdfast.fence.JdbcFence;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Enters the fence on the connection of the transaction. */
final class TransactionFence implements Consumer<Section> {
    private final DataSource dataSource;
    private final JdbcFence fence;

    TransactionFence(BeanFactory beans) {
        this.dataSource = beans.getBean(DataSource.class);
        this.fence = beans.getBeanProvider(JdbcFence.class).getIfAvailable(JdbcFence::create);
    }

    @Override
    public void accept(Section section) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException(
                    "fenced = true needs a transaction, and there is none: the fence and what it"
                            + " protects are one transaction. Add @Transactional, or call it inside of one");
        }
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            for (Lease lease : section.leases()) {
                fence.enter(connection, lease);
            }
        } catch (SQLException trouble) {
            throw translated(trouble);
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }

    private static DataAccessException translated(SQLException trouble) {
        DataAccessException known = new SQLExceptionSubclassTranslator().translate("enter the fence", null, trouble);
        return known != null ? known : new UncategorizedSQLException("enter the fence", null, trouble);
    }
}
