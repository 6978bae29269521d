package io.holdfast.comparison;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rows for programs: an array with one object per line, its keys named like the parts of {@link Row}. */
final class JsonReport {

    /** Digits that count; the measurement has fewer. */
    private static final MathContext DIGITS = new MathContext(6);

    private JsonReport() {}

    static String of(List<Row> rows) {
        if (rows.isEmpty()) {
            return "[]\n";
        }
        return rows.stream().map(JsonReport::object).collect(Collectors.joining(",\n  ", "[\n  ", "\n]\n"));
    }

    private static String object(Row row) {
        return new StringJoiner(", ", "{", "}")
                .add(member("workload", string(row.workload())))
                .add(member("library", string(row.library())))
                .add(member("version", string(row.version())))
                .add(member("rounds", Integer.toString(row.rounds())))
                .add(member("cycles", Long.toString(row.cycles())))
                .add(member("cyclesPerSecond", number(row.cyclesPerSecond())))
                .add(member("p50Micros", number(row.p50Micros())))
                .add(member("p99Micros", number(row.p99Micros())))
                .add(member("p999Micros", number(row.p999Micros())))
                .add(member("worstMicros", number(row.worstMicros())))
                .add(member("clientCpuMicrosPerCycle", number(row.clientCpuMicrosPerCycle())))
                .add(member("serverMicrosPerCycle", number(row.serverMicrosPerCycle())))
                .add(member("commandsPerCycle", number(row.commandsPerCycle())))
                .add(member("allocatedBytesPerCycle", number(row.allocatedBytesPerCycle())))
                .add(member("violations", Long.toString(row.violations())))
                .add(member("failure", string(row.failure())))
                .toString();
    }

    private static String member(String key, String value) {
        return "\"" + key + "\": " + value;
    }

    /** JSON has no word for NaN and infinity. */
    private static String number(@Nullable Double value) {
        if (value == null || !Double.isFinite(value)) {
            return "null";
        }
        BigDecimal rounded = new BigDecimal(value).round(DIGITS);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }

    private static String string(@Nullable String value) {
        if (value == null) {
            return "null";
        }
        StringBuilder text = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            text.append(escaped(value.charAt(i)));
        }
        return text.append('"').toString();
    }

    private static String escaped(char character) {
        return switch (character) {
            case '"' -> "\\\"";
            case '\\' -> "\\\\";
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default ->
                character < ' ' || Character.isSurrogate(character)
                        ? String.format(Locale.ROOT, "\\u%04x", (int) character)
                        : String.valueOf(character);
        };
    }
}
