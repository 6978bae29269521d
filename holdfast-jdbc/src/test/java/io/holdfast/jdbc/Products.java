package io.holdfast.jdbc;

import io.holdfast.testing.databases.DatabaseServer;
import io.holdfast.testing.databases.MariaDbServer;
import io.holdfast.testing.databases.MySqlServer;
import io.holdfast.testing.databases.PostgresServer;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** One server of each product that a test asks for. It leaves them as they were. */
final class Products implements AutoCloseable {

    /** What runs in processes of its own. */
    enum Product {
        POSTGRESQL,
        MARIADB,
        MYSQL;

        private DatabaseServer start() throws SQLException {
            return switch (this) {
                case POSTGRESQL -> PostgresServer.start();
                case MARIADB -> MariaDbServer.start();
                case MYSQL -> MySqlServer.newest();
            };
        }
    }

    /** Runs the test on PostgreSQL and MariaDB, or in a class that is {@link OnMySql} on MySQL. */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @ArgumentsSource(Chosen.class)
    @interface EachProduct {}

    /** The same tests on MySQL, which has to be downloaded: for the profile full. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface OnMySql {}

    /** Which products a test class is for. */
    static final class Chosen implements ArgumentsProvider {
        @Override
        public Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context) {
            boolean mySql = context.getRequiredTestClass().isAnnotationPresent(OnMySql.class);
            return (mySql ? Stream.of(Product.MYSQL) : Stream.of(Product.POSTGRESQL, Product.MARIADB))
                    .map(Arguments::of);
        }
    }

    private final Map<Product, DatabaseServer> servers = new EnumMap<>(Product.class);
    private final Consumer<DatabaseServer> prepare;

    Products() {
        this(server -> {});
    }

    /**
     * The same.
     *
     * @param prepare what to do with each server first
     */
    Products(Consumer<DatabaseServer> prepare) {
        this.prepare = prepare;
    }

    DatabaseServer get(Product product) throws SQLException {
        DatabaseServer known = servers.get(product);
        if (known != null) {
            return known;
        }
        DatabaseServer started = product.start();
        servers.put(product, started);
        prepare.accept(started);
        return started;
    }

    @Override
    public void close() {
        servers.values().forEach(DatabaseServer::close);
    }
}
