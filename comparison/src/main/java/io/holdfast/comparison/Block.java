package io.holdfast.comparison;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rows of one workload, in the order they came. */
record Block(String workload, List<Row> rows) {

    static List<Block> of(List<Row> rows) {
        Map<String, List<Row>> byWorkload = new LinkedHashMap<>();
        for (Row row : rows) {
            byWorkload
                    .computeIfAbsent(row.workload(), workload -> new ArrayList<>())
                    .add(row);
        }
        return byWorkload.entrySet().stream()
                .map(each -> new Block(each.getKey(), List.copyOf(each.getValue())))
                .toList();
    }

    String description() {
        return Workload.labelled(workload).map(Workload::description).orElse("");
    }

    Measure measure() {
        return Measure.of(workload);
    }

    Optional<Row> row(Library library) {
        return rows.stream()
                .filter(row -> row.library().equals(library.label()))
                .findFirst();
    }

    /**
     * How many times better Holdfast is than this row, in the measure of the workload; NaN where one of the two is
     * missing.
     */
    double timesBetter(Row row) {
        return row(Library.HOLDFAST)
                .map(holdfast -> measure().timesBetter(holdfast, row))
                .orElse(Double.NaN);
    }
}
