package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.jdbc.Products.Product;
import io.holdfast.jdbc.backend.Schema;
import io.holdfast.jdbc.database.Dialect;
import io.holdfast.jdbc.database.KeptConnection;
import io.holdfast.jdbc.database.Rows;
import io.holdfast.jdbc.database.Statements;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import io.holdfast.testing.databases.DatabaseServer;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A statement that has waited for a row goes by the time at which it goes on, not by that of its start. */
@Tag("integration")
@Timeout(60)
class StatementsTest {
    private static Products products;

    @BeforeAll
    static void start() throws Exception {
        products = new Products();
    }

    @AfterAll
    static void stop() {
        products.close();
    }

    private static Claim claim(long sequence) {
        return Claim.builder(
                        new ClaimId("client", sequence), new Resource(LockKind.LOCK, "a", 1), Duration.ofMinutes(1))
                .build();
    }

    @ParameterizedTest
    @EnumSource
    void take_rowWasLockedUntilItsTimeWasOver_hasNoEffect(Product product) throws Exception {
        DatabaseServer server = products.get(product);
        try (Connection plain = server.connect();
                Connection somebody = server.connect()) {
            Statements statements = new Statements(Dialect.of(plain), "s");
            new Schema(statements).create(plain, false);
            Rows rows = new Rows(statements);
            KeptConnection connection = new KeptConnection(plain, statements, 0);
            FaultBench.execute(
                    server,
                    "INSERT INTO s_lock (k, version, last_token, free_at, capacity)" + " VALUES ("
                            + (product == Product.POSTGRESQL ? "CAST('la' AS bytea)" : "'la'") + ", 1, 1, 0, 1)");
            somebody.setAutoCommit(false);
            try (Statement statement = somebody.createStatement()) {
                statement.executeUpdate("UPDATE s_lock SET label = 'x'");
            }
            long notAfter = rows.nowMicros(connection) + 300_000;
            CompletableFuture<OptionalLong> taken = FaultBench.async(() -> rows.take(connection, claim(1), notAfter));
            FaultBench.passes(Duration.ofMillis(500));
            somebody.rollback();
            assertThat(FaultBench.get(taken)).as("granted after its time").isEmpty();
        }
    }
}
