package io.holdfast.jdbc;

import io.holdfast.testing.databases.DatabaseServer;
import io.holdfast.testing.databases.MariaDbServer;
import io.holdfast.testing.databases.PostgresServer;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;

/** One server of each product, for tests that leave it as it was. */
final class Products implements AutoCloseable {

    /** What runs in processes of its own. */
    enum Product {
        POSTGRESQL,
        MARIADB
    }

    private final Map<Product, DatabaseServer> servers = new EnumMap<>(Product.class);

    Products() throws SQLException {
        servers.put(Product.POSTGRESQL, PostgresServer.start());
        servers.put(Product.MARIADB, MariaDbServer.start());
    }

    DatabaseServer get(Product product) {
        return java.util.Objects.requireNonNull(servers.get(product));
    }

    @Override
    public void close() {
        servers.values().forEach(DatabaseServer::close);
    }
}
