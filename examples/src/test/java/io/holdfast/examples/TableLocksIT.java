package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.databases.MariaDbServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The locks of the articles, on a real MariaDB. */
@Tag("integration")
class TableLocksIT {
    /** What goes wrong, and what does not. */
    static final List<String> SAID = List.of(
            "-- INSERT locks, DELETE unlocks",
            "A locks: true",
            "A locks again, in a method that it calls: false",
            "B asks, and cannot wait: false",
            "A crashed. B asks, today or in a year: false",
            "-- the same with a time at which it ends",
            "A locks for a minute: true",
            "B, whose clock is an hour ahead, takes it away: true",
            "A is done, and deleted the row of B. C locks beside B: true",
            "-- the same with Holdfast",
            "A locks, and locks again in a method that it calls: true",
            "A crashed. B waits, and has it when the lease is over",
            "A comes back and gives back. B still has it: true",
            "a fence would refuse A: true",
            "B gives back, and A, who waited, gets it");

    @RegisterExtension
    private final Printed printed = new Printed();

    @Test
    void main_onMariaDb_showsWhatGoesWrongAndLeavesNoTable() throws SQLException {
        try (MariaDbServer server = MariaDbServer.start()) {
            TableLocks.main(new String[] {server.url()});

            assertThat(printed.lines()).isEqualTo(SAID);
            try (Connection connection = server.connect();
                    ResultSet tables = connection.getMetaData().getTables(null, null, "holdfast_example%", null)) {
                assertThat(tables.next()).isFalse();
            }
        }
    }
}
