package io.holdfast.comparison;

import java.util.Comparator;
import java.util.List;

/** One workload as horizontal bars, the best on top, those that failed at the bottom. */
final class BarChart {

    private static final int TOP = 78;
    private static final int ROW = 30;
    private static final int BAR = 20;
    private static final int LEFT = 150;

    /** The longest bar; the number behind it needs the rest. */
    private static final int LONGEST = 400;

    private static final int FOOT = 62;

    /** Enough to be seen. */
    private static final double SHORTEST = 2;

    private final Block block;
    private final Measure measure;
    private final Scale scale;
    private final List<Row> rows;

    private BarChart(Block block) {
        this.block = block;
        this.measure = block.measure();
        this.scale = Scale.of(block.rows().stream().mapToDouble(measure::of));
        Comparator<Row> order = Comparator.comparingDouble(
                row -> measure.moreIsBetter() && measured(row) ? -measure.of(row) : measure.of(row));
        // NaN, which is what a failed row has, sorts last.
        this.rows = block.rows().stream().sorted(order).toList();
    }

    static String of(Block block) {
        return new BarChart(block).svg();
    }

    private String svg() {
        int bottom = TOP + rows.size() * ROW;
        Svg svg = new Svg(bottom + FOOT, block.workload(), block.description());
        axis(svg, bottom);
        double y = TOP;
        for (Row row : rows) {
            bar(svg, row, y);
            y += ROW;
        }
        svg.line("axis", LEFT, TOP, LEFT, bottom);
        return svg.done();
    }

    private void axis(Svg svg, int bottom) {
        for (double tick : scale.ticks()) {
            double x = LEFT + LONGEST * scale.share(tick);
            svg.line("grid", x, TOP, x, bottom + 4);
            svg.text("small", "middle", x, bottom + 19, tick == 0 ? "0" : tickText(tick));
        }
        String title = measure.description() + (scale.logarithmic() ? " (logarithmic scale)" : "");
        svg.text("small", "start", LEFT, bottom + 44, title);
    }

    private void bar(Svg svg, Row row, double y) {
        double middle = y + ROW / 2.0;
        double baseline = middle + 4.5;
        boolean ours = row.library().startsWith(Library.HOLDFAST.label());
        String strong = ours ? "strong" : "plain";
        svg.text(strong, "end", LEFT - 10, baseline, row.library());
        String violations = row.violations() == 0 ? "" : "VIOLATIONS: " + row.violations();
        if (!measured(row)) {
            String words = row.failure() == null ? "not measured" : "failed";
            String style = violations.isEmpty() ? "small" : "alarm";
            svg.text(style, "start", LEFT + 8, baseline, violations.isEmpty() ? words : words + ", " + violations);
            return;
        }
        double value = measure.of(row);
        double width = Math.max(SHORTEST, LONGEST * scale.share(value));
        String words = measure.text(value);
        String hint = row.library() + " " + row.version() + ": " + words;
        svg.rect("bar " + style(row, ours), LEFT, middle - BAR / 2.0, width, BAR, hint);
        String behind = violations.isEmpty() ? words : words + ", " + violations;
        svg.text(violations.isEmpty() ? strong : "alarm", "start", LEFT + width + 8, baseline, behind);
    }

    private boolean measured(Row row) {
        return Double.isFinite(measure.of(row));
    }

    private String tickText(double tick) {
        // Ticks are round: 2.00 ms says no more than 2 ms.
        return measure.text(tick).replaceAll("(\\.\\d*?)0+(?=\\s|$)", "$1").replaceAll("\\.(?=\\s|$)", "");
    }

    private static String style(Row row, boolean ours) {
        if (ours) {
            return "holdfast";
        }
        return row.library().equals(Library.LIMIT.label()) ? "limit" : "other";
    }
}
