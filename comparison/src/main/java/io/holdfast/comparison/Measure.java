package io.holdfast.comparison;

/** The number that matters most in a workload: what its chart shows and what "times better" is about. */
enum Measure {
    CYCLES_PER_SECOND("cycles/s", "cycles per second, more is better"),
    P50("p50", "median, less is better"),
    P99("p99", "99th percentile, less is better"),
    SERVER_TIME("server CPU", "processor time of the server per cycle, less is better");

    private final String label;
    private final String description;

    Measure(String label, String description) {
        this.label = label;
        this.description = description;
    }

    /** By the label of the workload. */
    static Measure of(String workload) {
        return switch (workload) {
            case "handover" -> P99;
            case "recovery" -> P50;
            case "held-10000" -> SERVER_TIME;
            default -> CYCLES_PER_SECOND;
        };
    }

    String label() {
        return label;
    }

    String description() {
        return description;
    }

    boolean moreIsBetter() {
        return this == CYCLES_PER_SECOND;
    }

    /** NaN where it was not measured. */
    double of(Row row) {
        if (row.failure() != null) {
            return Double.NaN;
        }
        return switch (this) {
            case CYCLES_PER_SECOND -> row.cyclesPerSecond();
            case P50 -> row.p50Micros();
            case P99 -> row.p99Micros();
            case SERVER_TIME -> {
                Double micros = row.serverMicrosPerCycle();
                yield micros == null ? Double.NaN : micros;
            }
        };
    }

    String text(double value) {
        return moreIsBetter() ? Numbers.count(value) : Numbers.time(value);
    }

    /** How many times better the one is than the other; NaN where that cannot be told. */
    double timesBetter(Row one, Row other) {
        double times = moreIsBetter() ? of(one) / of(other) : of(other) / of(one);
        return Double.isFinite(times) ? times : Double.NaN;
    }
}
