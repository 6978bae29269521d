package io.holdfast.comparison;

/** Rows for tests: all alike but for what a test says. */
final class Rows {

    private Rows() {}

    static Row speed(Workload workload, Library library, double cyclesPerSecond) {
        return row(workload, library, cyclesPerSecond, 900, 20, 12.3, 2.0, 0);
    }

    static Row waiting(Workload workload, Library library, double cyclesPerSecond, double p99, double commands) {
        return row(workload, library, cyclesPerSecond, p99, 20, 12.3, commands, 0);
    }

    static Row cost(Workload workload, Library library, double clientCpu, double server) {
        return row(workload, library, 1_000, 900, clientCpu, server, 2.0, 0);
    }

    static Row violated(Workload workload, Library library, double cyclesPerSecond, long violations) {
        return row(workload, library, cyclesPerSecond, 900, 20, 12.3, 2.0, violations);
    }

    static Row withoutCommands(Workload workload, Library library, double cyclesPerSecond) {
        return new Row(
                workload.label(),
                library.label(),
                "1.2.3",
                3,
                90_000,
                cyclesPerSecond,
                0.045,
                0.123,
                1.5,
                2_500_000,
                0.0512,
                null,
                null,
                0.25,
                0,
                null);
    }

    private static Row row(
            Workload workload,
            Library library,
            double cyclesPerSecond,
            double p99,
            double clientCpu,
            double server,
            double commands,
            long violations) {
        return new Row(
                workload.label(),
                library.label(),
                "1.2.3",
                3,
                90_000,
                cyclesPerSecond,
                450,
                p99,
                12_345,
                2_500_000,
                clientCpu,
                server,
                commands,
                1_234,
                violations,
                null);
    }
}
