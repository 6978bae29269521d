package io.holdfast.examples.shop;

import io.holdfast.fence.FenceEntry;
import io.holdfast.fence.JdbcFence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * A shop that sells a number of vouchers, one per user, the way it is written again and again: look whether the user
 * has one, look whether there are any left, let the user pay, write.
 *
 * <p>{@link #buy(long)} is right as long as nobody else buys at the same time. It does not lock: that is up to the
 * caller.
 */
public final class Shop {
    private static final String[] SCHEMA = {
        "CREATE TABLE voucher (issued INT NOT NULL, stock INT NOT NULL)",
        "CREATE TABLE voucher_order (buyer BIGINT NOT NULL)",
        "CREATE INDEX voucher_order_buyer ON voucher_order (buyer)"
    };

    private final DataSource database;
    private final Payment payment;
    private final JdbcFence fence = JdbcFence.create();

    public Shop(DataSource database, Payment payment) {
        this.database = database;
        this.payment = payment;
    }

    /** Makes the tables, in a database that has none. */
    public void build() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : SCHEMA) {
                statement.execute(sql);
            }
            fence.createTable(connection);
        }
    }

    /** Begins a new sale: all vouchers there, nobody has one. */
    public void open(int vouchers) throws SQLException {
        try (Connection connection = database.getConnection()) {
            update(connection, "DELETE FROM voucher_order");
            update(connection, "DELETE FROM voucher");
            update(connection, "INSERT INTO voucher (issued, stock) VALUES (?, ?)", vouchers, vouchers);
        }
    }

    /**
     * Buys a voucher. Between the looking and the writing somebody else may do the same, unless a lock keeps them out.
     */
    public Purchase buy(long user) throws SQLException, InterruptedException {
        try (Connection connection = database.getConnection()) {
            if (hasBought(connection, user)) {
                return Purchase.BOUGHT_BEFORE;
            }
            int stock = stock(connection);
            if (stock < 1) {
                return Purchase.SOLD_OUT;
            }
            payment.pay(user);
            write(connection, user, stock - 1);
            return Purchase.SOLD;
        }
    }

    /**
     * Buys a voucher behind a fence. Paying may take long, so looking and writing are two transactions, and each of
     * them enters first.
     *
     * @param holder of the lock: the fence refuses it once the next holder has entered
     */
    public Purchase buyFenced(long user, FenceEntry holder) throws SQLException, InterruptedException {
        int stock;
        try (Connection connection = database.getConnection()) {
            enter(connection, holder);
            stock = stock(connection);
            boolean before = hasBought(connection, user);
            connection.commit();
            if (before || stock < 1) {
                return before ? Purchase.BOUGHT_BEFORE : Purchase.SOLD_OUT;
            }
        }
        payment.pay(user);
        try (Connection connection = database.getConnection()) {
            enter(connection, holder);
            write(connection, user, stock - 1);
            connection.commit();
            return Purchase.SOLD;
        }
    }

    private void enter(Connection connection, FenceEntry holder) throws SQLException {
        connection.setAutoCommit(false);
        try {
            fence.enter(connection, holder.name(), holder.token(), holder.holder());
        } catch (SQLException | RuntimeException refused) {
            connection.rollback();
            throw refused;
        }
    }

    private static boolean hasBought(Connection connection, long user) throws SQLException {
        return number(connection, "SELECT COUNT(*) FROM voucher_order WHERE buyer = ?", user) > 0;
    }

    private static int stock(Connection connection) throws SQLException {
        return number(connection, "SELECT stock FROM voucher");
    }

    private static void write(Connection connection, long user, int stock) throws SQLException {
        update(connection, "UPDATE voucher SET stock = ?", stock);
        update(connection, "INSERT INTO voucher_order (buyer) VALUES (?)", user);
    }

    /** Reads the books. */
    public Sales sales() throws SQLException {
        try (Connection connection = database.getConnection()) {
            int vouchers = number(connection, "SELECT issued FROM voucher");
            int sold = number(connection, "SELECT COUNT(*) FROM voucher_order");
            int buyers = number(connection, "SELECT COUNT(DISTINCT buyer) FROM voucher_order");
            return new Sales(vouchers, sold, sold - buyers);
        }
    }

    private static int number(Connection connection, String sql, long... values) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, values);
                ResultSet result = statement.executeQuery()) {
            result.next();
            return result.getInt(1);
        }
    }

    private static void update(Connection connection, String sql, long... values) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, values)) {
            statement.executeUpdate();
        }
    }

    private static PreparedStatement prepare(Connection connection, String sql, long... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setLong(i + 1, values[i]);
        }
        return statement;
    }
}
