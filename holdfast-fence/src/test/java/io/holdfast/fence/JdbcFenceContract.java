package io.holdfast.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockStoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Who is let in, one after another. */
abstract class JdbcFenceContract extends JdbcFenceFixture {

    // ---- entering

    @Test
    void enter_nobodyWasThere_accepted() throws Exception {
        String name = newName();
        assertThat(current(name)).isEmpty();

        enterCommitted(name, 33, A);

        assertCurrent(name, 33, A);
    }

    @Test
    void enter_greaterToken_accepted() throws Exception {
        String name = newName();
        enterCommitted(name, 33, B);

        enterCommitted(name, 34, A);

        assertCurrent(name, 34, A);
    }

    @Test
    void enter_smallerToken_refusedWithBothTokensAndHolders() throws Exception {
        String name = newName();
        enterCommitted(name, 34, B);

        assertThatThrownBy(() -> enterCommitted(name, 33, A))
                .isInstanceOfSatisfying(StaleTokenException.class, refusal -> {
                    assertThat(refusal.refused()).isEqualTo(new FenceEntry(name, 33, A));
                    assertThat(refusal.stored()).isEqualTo(new FenceEntry(name, 34, B));
                    assertThat(refusal.lockName()).isEqualTo(name);
                })
                .hasMessageContainingAll("33", "34", name, A, B, "acquire the lock again");
    }

    @Test
    void enter_smallerTokenOfTheSameHolder_refused() throws Exception {
        String name = newName();
        enterCommitted(name, 34, A);

        assertThatThrownBy(() -> enterCommitted(name, 33, A)).isInstanceOf(StaleTokenException.class);
    }

    @Test
    void enter_equalTokenOfAnotherHolder_refused() throws Exception {
        String name = newName();
        enterCommitted(name, 33, A);

        for (String other : List.of(B, A.toUpperCase(Locale.ROOT), A + "0")) {
            assertThatThrownBy(() -> enterCommitted(name, 33, other))
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContainingAll("33", A, other, "this very token");
        }
        assertCurrent(name, 33, A);
    }

    @Test
    void enter_sameHolderAgain_acceptedInTheSameAndInLaterTransactions() throws Exception {
        String name = newName();
        committed(connection -> {
            fence.enter(connection, name, 33, A);
            fence.enter(connection, name, 33, A);
            return true;
        });

        enterCommitted(name, 33, A);

        assertCurrent(name, 33, A);
    }

    @Test
    void enter_tokensThatDifferInTheLastOf19Digits_comparedExactly() throws Exception {
        String name = newName();
        enterCommitted(name, Long.MAX_VALUE - 1, A);
        enterCommitted(name, Long.MAX_VALUE, B);

        assertThatThrownBy(() -> enterCommitted(name, Long.MAX_VALUE - 1, A)).isInstanceOf(StaleTokenException.class);
        assertCurrent(name, Long.MAX_VALUE, B);
    }

    // ---- what a refusal leaves

    @Test
    void enter_refused_writesNothingEvenIfCommitted() throws Exception {
        String name = newName();
        enterCommitted(name, 34, B);
        String before = row(name);

        Connection late = transaction();
        assertThatThrownBy(() -> fence.enter(late, name, 33, A)).isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> fence.enter(late, name, 34, A)).isInstanceOf(StaleTokenException.class);
        late.commit();

        assertThat(row(name)).isEqualTo(before);
    }

    private String row(String name) throws Exception {
        return committed(connection -> {
            try (var statement = connection.prepareStatement("SELECT * FROM holdfast_fence WHERE name = ?")) {
                statement.setBytes(1, FenceEntry.bytes(name));
                try (var rows = statement.executeQuery()) {
                    assertThat(rows.next()).isTrue();
                    return rows.getLong("token") + " " + rows.getString("holder") + " " + rows.getString("entered_at");
                }
            }
        });
    }

    @Test
    void enter_refused_transactionCanStillBeUsed() throws Exception {
        String name = newCounter();
        enterCommitted(name, 34, B);

        Connection late = transaction();
        assertThatThrownBy(() -> fence.enter(late, name, 33, A)).isInstanceOf(StaleTokenException.class);

        assertThat(total(late, name)).isZero();
    }

    @Test
    void enter_rolledBack_leavesNothing() throws Exception {
        String name = newName();
        Connection first = transaction();
        fence.enter(first, name, 33, A);
        first.rollback();
        assertThat(current(name)).isEmpty();

        enterCommitted(name, 33, A);
        Connection next = transaction();
        fence.enter(next, name, 34, B);
        next.rollback();

        assertCurrent(name, 33, A);
        enterCommitted(name, 33, A);
    }

    // ---- names

    @Test
    void enter_namesThatLookAlike_haveRowsOfTheirOwn() throws Exception {
        String name = newName();
        List<String> names = List.of(
                name + " x",
                name + " X",
                name + " x ",
                " " + name + " x",
                name + " x\u0000",
                name + " é",
                name + " e\u0301",
                name + " \uD83D\uDD12",
                name + " ß",
                name + " ss",
                name + " '; DROP TABLE counter; --",
                name + "?".repeat(500),
                "\uD83D\uDD12".repeat(128));

        for (int i = 0; i < names.size(); i++) {
            enterCommitted(names.get(i), 100 - i, "holder:" + i);
        }

        for (int i = 0; i < names.size(); i++) {
            assertCurrent(names.get(i), 100 - i, "holder:" + i);
        }
    }

    @Test
    void enter_badParts_refusedWithTheirBounds() throws Exception {
        Connection connection = transaction();

        assertThatThrownBy(() -> fence.enter(connection, "", 1, A)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> fence.enter(connection, "é".repeat(257), 1, A))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("514", "512");
        assertThatThrownBy(() -> fence.enter(connection, "\uD83D", 1, A)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> fence.enter(connection, "a", 0, A))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'a'", "0");
        assertThatThrownBy(() -> fence.enter(connection, "a", 1, "two words"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("two words");
    }

    // ---- tables and connections

    @Test
    void enter_autoCommit_refusedWithTheFix() throws Exception {
        String name = newName();
        Connection connection = transaction();
        connection.setAutoCommit(true);

        assertThatThrownBy(() -> fence.enter(connection, name, 33, A))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(name, "setAutoCommit(false)");
        assertThat(current(name)).isEmpty();
    }

    @Test
    void enter_noTable_saysSoAndHowToCreateIt() throws Exception {
        JdbcFence elsewhere = JdbcFence.inTable("no_such_fence");
        Connection connection = transaction();

        assertThatThrownBy(() -> elsewhere.enter(connection, "order", 33, A))
                .isInstanceOf(LockStoreException.class)
                .hasCauseInstanceOf(SQLException.class)
                .hasMessageContainingAll("no_such_fence", "does not exist", "createTable", "schema-", ".sql");
        connection.rollback();
        assertThatThrownBy(() -> elsewhere.current(connection, "order"))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("no_such_fence");
    }

    @Test
    void createTable_ofAnotherName_isUsed() throws Exception {
        String name = newName();
        JdbcFence other = JdbcFence.inTable("Other_Fence_1");
        Connection connection = transaction();
        other.createTable(connection);
        other.createTable(connection);
        connection.commit();

        other.enter(connection, name, 33, A);
        connection.commit();

        assertThat(other.current(connection, name)).contains(new FenceEntry(name, 33, A));
        assertThat(current(name)).isEmpty();
    }

    @Test
    void createTable_inASchema_isUsed() throws Exception {
        Connection connection = transaction();
        execute(connection, "CREATE SCHEMA billing");
        JdbcFence other = JdbcFence.inTable("billing.fence");

        other.createTable(connection);
        other.enter(connection, "order", 33, A);
        connection.commit();

        assertThat(other.current(connection, "order")).contains(new FenceEntry("order", 33, A));
    }
}
