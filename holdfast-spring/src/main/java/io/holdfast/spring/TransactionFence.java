package io.holdfast.spring;

import io.holdfast.Lease;
import io.holdfast.fence.JdbcFence;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Enters the fence on the connection of the transaction. */
final class TransactionFence implements Consumer<Section> {
    private final ObjectProvider<DataSource> sources;
    private final JdbcFence fence;

    TransactionFence(BeanFactory beans) {
        this.sources = beans.getBeanProvider(DataSource.class);
        this.fence = beans.getBeanProvider(JdbcFence.class).getIfAvailable(JdbcFence::create);
    }

    @Override
    public void accept(Section section) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException(
                    "fenced = true needs a transaction, and there is none: the fence and what it"
                            + " protects are one transaction. Add @Transactional, or call it inside of one");
        }
        DataSource dataSource = ofTheTransaction();
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

    /** On any other connection the fence would be entered beside the transaction, and protect nothing. */
    private DataSource ofTheTransaction() {
        List<DataSource> used = sources.stream().flatMap(TransactionFence::used).toList();
        if (used.size() == 1) {
            return used.get(0);
        }
        boolean byItself = TransactionSynchronizationManager.getResourceMap().values().stream()
                .noneMatch(ConnectionHolder.class::isInstance); // JTA: a connection joins when it is opened
        return Stream.ofNullable(sources.getIfUnique())
                .flatMap(only -> byItself ? Stream.of(only) : used(only))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("fenced = true enters the fence on the connection of the"
                        + " transaction, and that has a connection of "
                        + (used.isEmpty()
                                ? "no DataSource bean"
                                : used.size() + " DataSources, of which none is primary")
                        + ". Name the transaction manager of the DataSource that has the data and the fence:"
                        + " @Transactional(\"…\")"));
    }

    /** Returns what the transaction knows it as: a proxy, or what is behind it; nothing if it has no part in it. */
    private static Stream<DataSource> used(DataSource source) {
        if (TransactionSynchronizationManager.hasResource(source)) {
            return Stream.of(source);
        }
        return source instanceof DelegatingDataSource proxy && proxy.getTargetDataSource() != null
                ? used(proxy.getTargetDataSource())
                : Stream.empty();
    }

    private static DataAccessException translated(SQLException trouble) {
        DataAccessException known = new SQLExceptionSubclassTranslator().translate("enter the fence", null, trouble);
        return known != null ? known : new UncategorizedSQLException("enter the fence", null, trouble);
    }
}
