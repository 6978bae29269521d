package io.holdfast.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockLostException;
import io.holdfast.LockOptions;
import io.holdfast.testing.databases.H2Database;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Real leases at a fence, and what is refused before the database is asked. */
class JdbcFenceLeaseTest {
    private final JdbcFence fence = JdbcFence.create();
    private final LockClient before = FrozenLocks.create();
    private final LockClient after = FrozenLocks.create();
    private H2Database database;
    private Connection connection;

    @BeforeEach
    void start() throws SQLException {
        database = H2Database.start();
        connection = database.connect();
        fence.createTable(connection);
        connection.setAutoCommit(false);
    }

    @AfterEach
    void end() throws SQLException {
        before.close();
        after.close();
        connection.close();
        database.close();
    }

    @Test
    void enter_lease_storesItsTokenAndId() throws SQLException {
        try (Lease lease = before.lock("order").acquire()) {
            fence.enter(connection, lease);

            assertThat(fence.current(connection, "order"))
                    .contains(new FenceEntry("order", lease.token(), lease.id()))
                    .contains(FenceEntry.of(lease));
        }
    }

    @Test
    void enter_handedOver_isTheSameHolder() throws SQLException {
        try (Lease lease = before.lock("order").acquire()) {
            fence.enter(connection, lease);
            fence.enter(connection, lease.name(), lease.token(), lease.id());
        }
    }

    @Test
    void enter_equalTokenOfAStoreThatForgot_refused() throws SQLException {
        try (Lease first = before.lock("order").acquire();
                Lease second = after.lock("order").acquire()) {
            assertThat(second.token()).isEqualTo(first.token());
            fence.enter(connection, first);

            assertThatThrownBy(() -> fence.enter(connection, second)).isInstanceOf(StaleTokenException.class);
        }
    }

    @Test
    void enter_leaseIsOver_refusedAndNothingIsWritten() throws SQLException {
        Lease closed = before.lock("closed").acquire();
        closed.close();
        Lease lost = before.lock("lost", LockOptions.defaults().fixedLease(Duration.ofMillis(100)))
                .acquire();
        Awaitility.await().until(() -> !lost.isValid());

        assertThatThrownBy(() -> fence.enter(connection, closed)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> fence.enter(connection, lost)).isInstanceOf(LockLostException.class);
        assertThat(fence.current(connection, "closed")).isEmpty();
        assertThat(fence.current(connection, "lost")).isEmpty();
    }

    @Test
    void inTable_notAName_refused() {
        for (String table :
                List.of("", "a b", "1a", "a;drop table x", "a.b.c", ".a", "a.", "\"a\"", "a-b", "é", "a".repeat(64))) {
            assertThatThrownBy(() -> JdbcFence.inTable(table))
                    .as(table)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + table + "'");
        }
    }

    @Test
    void enter_databaseThatIsNotKnown_namesTheKnownOnes() {
        DatabaseMetaData metaData = answering(DatabaseMetaData.class, Map.of("getDatabaseProductName", "Stonetablet"));
        Connection unknown = answering(Connection.class, Map.of("getMetaData", metaData, "getAutoCommit", false));

        assertThatThrownBy(() -> fence.enter(unknown, "order", 33, "a:1"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContainingAll("Stonetablet", "PostgreSQL", "MySQL", "MariaDB", "H2");
    }

    private static <T> T answering(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> Objects.requireNonNull(answers.get(method.getName()), method.getName())));
    }
}
