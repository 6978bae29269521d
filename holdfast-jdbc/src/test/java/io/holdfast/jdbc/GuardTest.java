package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockRefusedException;
import io.holdfast.Safety;
import io.holdfast.testing.databases.H2Database;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What those who ask hear from a database that may have forgotten. */
class GuardTest {
    @Test
    void strict_emptiedTables_refuseForAWhileAndLetWaitersWait() throws Exception {
        try (H2Database database = H2Database.start()) {
            JdbcLocksBuilder builder = JdbcLocks.builder(new TestDataSource(database::connect))
                    .createTables()
                    .safety(Safety.STRICT)
                    .longestLease(Duration.ofSeconds(1));
            builder.connect().close();
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("DELETE FROM holdfast_lock");
            }
            try (LockClient locks = builder.connect()) {
                assertThat(builder.examine())
                        .anySatisfy(found -> assertThat(found.text()).contains("it grants nothing new for "));
                assertThatExceptionOfType(LockRefusedException.class)
                        .isThrownBy(() -> locks.lock("a").tryAcquire())
                        .withMessageContaining("may not know every lock")
                        .satisfies(refused ->
                                assertThat(refused.retryAfter()).isBetween(Duration.ZERO, Duration.ofMillis(2_010)));
                Optional<Lease> later = locks.lock("a").tryAcquire(Duration.ofMinutes(1));

                assertThat(later).isPresent();
                later.orElseThrow().close();
                assertThat(builder.examine())
                        .anySatisfy(found ->
                                assertThat(found.check() + ": " + found.text()).isEqualTo("guard: it grants"));
            }
        }
    }
}
