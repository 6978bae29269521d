package io.holdfast.comparison;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** All workloads on one card: how many times better Holdfast is than each of the others, the darker the more. */
final class Overview {

    private static final int TOP = 116;
    private static final int ROW = 34;
    private static final int LEFT = 136;
    private static final int FOOT = 44;
    private static final int GAP = 3;

    /** From here on a cell is as dark as it gets. */
    private static final double DARKEST = 100;

    private Overview() {}

    static String of(List<Block> blocks) {
        List<Library> libraries = List.of(Library.values()).stream()
                .filter(each -> each != Library.HOLDFAST)
                .filter(each ->
                        blocks.stream().anyMatch(block -> block.row(each).isPresent()))
                .toList();
        int bottom = TOP + blocks.size() * ROW;
        Svg svg = new Svg(
                bottom + FOOT,
                "Holdfast against the others",
                "How many times better Holdfast is. Below 1, the other one is better.");
        double width = (Svg.WIDTH - LEFT - Svg.MARGIN) / (double) Math.max(1, libraries.size());
        for (int column = 0; column < libraries.size(); column++) {
            heading(svg, libraries.get(column).label(), LEFT + (column + 0.5) * width);
        }
        for (int line = 0; line < blocks.size(); line++) {
            Block block = blocks.get(line);
            double y = TOP + line * ROW;
            svg.text(nameStyle(block), "end", LEFT - 10, y + ROW / 2.0 + 4.5, block.workload());
            for (int column = 0; column < libraries.size(); column++) {
                cell(svg, block, block.row(libraries.get(column)), LEFT + column * width, y, width);
            }
        }
        String what =
                "By cycles per second; handover by p99, recovery by p50, held-10000 by processor time of the server.";
        svg.text("small", "start", Svg.MARGIN, bottom + 26, what);
        return svg.done();
    }

    private static String nameStyle(Block block) {
        return block.row(Library.HOLDFAST).filter(row -> row.violations() > 0).isPresent() ? "alarm" : "plain";
    }

    /** On two lines where the name has two parts. */
    private static void heading(Svg svg, String label, double x) {
        int dash = label.indexOf('-');
        svg.text("small", "middle", x, TOP - 24, dash < 0 ? "" : label.substring(0, dash));
        svg.text("small", "middle", x, TOP - 9, label.substring(dash + 1));
    }

    private static void cell(Svg svg, Block block, Optional<Row> row, double x, double y, double width) {
        double middle = x + width / 2;
        double baseline = y + ROW / 2.0 + 4.5;
        if (row.isEmpty()) {
            return;
        }
        if (row.get().failure() != null) {
            svg.text("small", "middle", middle, baseline, "failed");
            return;
        }
        if (row.get().violations() > 0) {
            // How fast a lock is that lets two in says nothing.
            svg.text("alarm", "middle", middle, baseline, "violated");
            return;
        }
        double times = block.timesBetter(row.get());
        if (!Double.isFinite(times)) {
            svg.text("small", "middle", middle, baseline, Numbers.NONE);
            return;
        }
        double depth = Math.min(1, Math.abs(Math.log(times)) / Math.log(DARKEST));
        String hint = block.workload() + ", " + row.get().library() + ": " + Numbers.count(times) + " ×";
        String style = "cell " + (times >= 1 ? "better" : "worse") + Math.round(depth * 5);
        svg.rect(style, x + GAP / 2.0, y + GAP / 2.0, width - GAP, ROW - GAP, hint);
        boolean dark = times >= 1 && depth >= 0.5;
        svg.text(dark ? "onDark" : "plain", "middle", middle, baseline, text(times));
    }

    /** Two digits are enough to see the size, and a cell has no room for many more. */
    private static String text(double times) {
        if (times < 0.95) {
            return Numbers.count(times) + "×";
        }
        if (times >= 9_999.5) {
            return String.format(Locale.ROOT, "%,.0fk×", times / 1_000);
        }
        return String.format(Locale.ROOT, times < 9.95 ? "%.1f×" : "%,.0f×", times);
    }
}
