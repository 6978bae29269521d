package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Runs every example as a user would and reads what it prints. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ExamplesTest {
    @RegisterExtension
    private final Printed printed = new Printed();

    @TempDir
    private Path folder;

    private List<String> lines() {
        return printed.lines();
    }

    @Test
    void firstLock_run_holdsWithToken() {
        FirstLock.main(new String[0]);

        assertThat(lines()).hasSize(1);
        assertThat(lines().get(0)).matches("shipping order:42 with token [1-9][0-9]*");
    }

    /** The README leaves out the Javadoc and the private constructor, and nothing else. */
    @Test
    void firstLock_source_standsInTheReadme() throws IOException {
        String readme = Files.readString(Path.of("..", "README.md"));
        List<String> source = Files.readAllLines(Path.of("src/main/java/io/holdfast/examples/FirstLock.java"));

        assertThat(source)
                .filteredOn(line -> !line.isBlank() && !line.contains("/**"))
                .filteredOn(line -> !line.startsWith("package") && !line.contains("private FirstLock()"))
                .hasSize(10)
                .allSatisfy(line -> assertThat(readme).contains(line + "\n"));
    }

    @Test
    void orderDesk_run_locksWaitsAndQueues() throws InterruptedException {
        OrderDesk.main(new String[0]);

        assertThat(lines().get(0)).matches("packing with token [1-9][0-9]*");
        assertThat(lines().subList(1, lines().size()))
                .containsExactly(
                        "second lease after 20 ms: not available",
                        "waiting without a thread: true",
                        "then acquired: true");
    }

    @Test
    void exports_run_sharesThreePermits() {
        Exports.main(new String[0]);

        assertThat(lines())
                .containsExactly(
                        "a large and a small export run", "room for one more: false", "then a huge one runs alone");
    }

    @Test
    void catalog_run_letsReadersOrOneWriterIn() {
        Catalog.main(new String[0]);

        assertThat(lines())
                .containsExactly(
                        "two readers at a time", "a writer with them: false", "one writer", "a reader with it: false");
    }

    @Test
    void transfer_run_finishesBothDirections() {
        Transfer.main(new String[0]);

        assertThat(lines())
                .hasSize(3)
                .contains(
                        "from account:1 to account:2, locked 2 accounts",
                        "from account:2 to account:1, locked 2 accounts")
                .endsWith("both done");
    }

    @Test
    void billing_run_passesLeadershipOn() throws InterruptedException {
        Billing.main(new String[0]);

        assertThat(lines())
                .filteredOn(line -> !line.contains("bills"))
                .containsExactly("north leads", "north stops", "south leads", "south stops");
    }

    @Test
    void startup_run_opensWithTheLastArrival() throws InterruptedException {
        Startup.main(new String[0]);

        assertThat(lines())
                .containsExactly(
                        "stock is ready, missing: 2",
                        "prices is ready, missing: 1",
                        "payment is ready, missing: 0",
                        "the shop is open");
    }

    @Test
    void flashSale_run_comesOutEvenWithALock() throws Exception {
        FlashSale.main(new String[0]);

        assertThat(lines()).hasSize(2);
        assertThat(lines().get(0))
                .matches(
                        "without a lock: 100 vouchers, [1-9][0-9]{2} sold, [1-9][0-9]* too many, [1-9][0-9]* bought twice");
        assertThat(lines().get(1)).isEqualTo("with a lock: 100 vouchers, 100 sold, 0 too many, 0 bought twice");
    }

    @Test
    void nightlyReport_run_needsARecordBesideTheLock() {
        NightlyReport.main(new String[0]);

        assertThat(lines())
                .containsExactly(
                        "with a lock only:",
                        "  report of night 1",
                        "  report of night 1",
                        "  report of night 2",
                        "  report of night 2",
                        "with a lock and a record:",
                        "  report of night 1",
                        "  report of night 2");
    }

    @Test
    void nightlyReport_interrupted_isNotRecordedAndLeftToTheOthers() {
        AtomicLong lastDone = new AtomicLong();
        NightlyReport.Night night = new NightlyReport.Night(1);

        assertThatThrownBy(() -> night.tick("stopped node", this::interruptedOnceDue, () -> lastDone.set(1)))
                .isInstanceOf(CancellationException.class);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(lastDone).hasValue(0);
        assertThat(lines()).isEmpty();
        night.run(each -> lastDone.get() < each, () -> lastDone.set(1));
        assertThat(lastDone).hasValue(1);
        assertThat(lines()).containsExactly("  report of night 1");
    }

    private boolean interruptedOnceDue(long night) {
        Thread.currentThread().interrupt();
        return night > 0;
    }

    @Test
    void fencedWrite_run_refusesTheLateHolder() throws SQLException {
        FencedWrite.main(new String[0]);

        assertThat(lines()).containsExactly("slow reads 100", "next writes 80", "slow is refused", "balance: 80");
    }

    @Test
    void fencedWrite_runTwiceOnOneDatabase_leavesNothingBehind() throws SQLException {
        String url = "jdbc:h2:file:" + folder.resolve("lasting");

        FencedWrite.main(new String[] {url});
        FencedWrite.main(new String[] {url});

        assertThat(lines()).hasSize(8).endsWith("slow is refused", "balance: 80");
        assertThat(lines().subList(4, 8)).isEqualTo(lines().subList(0, 4));
        try (Connection connection = DriverManager.getConnection(url);
                ResultSet tables = connection.getMetaData().getTables(null, "PUBLIC", null, null)) {
            assertThat(tables.next()).isFalse();
        }
    }

    @Test
    void tableLocks_inMemory_saysTheSameAsOnMariaDb() throws SQLException {
        TableLocks.main(new String[0]);

        assertThat(lines()).isEqualTo(TableLocksIT.SAID);
    }
}
