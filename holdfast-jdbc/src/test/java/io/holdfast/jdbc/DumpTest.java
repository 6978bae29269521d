package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.databases.PostgresServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** pg_dump, while locks move. What it does to the tables, without the program: BusyDatabaseFaultTest. */
@Tag("integration")
@Tag("full")
@Timeout(300)
class DumpTest {
    @RegisterExtension
    final FaultBench bench = new FaultBench();

    @Test
    void pgDump_whileLocksMove_disturbsNobody() throws Exception {
        PostgresServer server = bench.open(PostgresServer.durable());
        try (Load load = new Load()) {
            load.add(bench.client(server), "busy", FaultBench.lease(10_000));
            load.add(bench.client(server), "busy", FaultBench.lease(10_000));
            load.awaitHolds(10);
            String dump = server.dump();
            load.awaitHolds(10);
            assertThat(dump).contains("COPY public." + bench.table() + "_lock ", "PostgreSQL database dump complete");
            assertThat(load.violations()).isEmpty();
            assertThat(load.troubles()).isZero();
        }
    }
}
