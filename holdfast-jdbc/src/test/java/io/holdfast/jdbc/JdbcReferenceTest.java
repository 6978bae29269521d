package io.holdfast.jdbc;

import io.holdfast.memory.MemoryStore;
import io.holdfast.tck.CallByCall;
import io.holdfast.testing.databases.H2Database;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Statements, rows and records together decide as the reference does, call by call. */
@Tag("integration")
class JdbcReferenceTest {
    @Test
    void randomCalls_answersAreThoseOfTheReference() throws SQLException {
        try (H2Database database = H2Database.start();
                JdbcFixture fixture = new JdbcFixture(database)) {
            CallByCall.compare(fixture.newBackend(), new MemoryStore().connect(), 20, Duration.ofMinutes(5));
        }
    }
}
