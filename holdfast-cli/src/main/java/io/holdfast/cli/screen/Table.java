package io.holdfast.cli.screen;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Rows under a heading, each column as wide as its widest cell. Numbers stand to the right. */
public final class Table {
    private static final Pattern STYLE = Pattern.compile("\u001b\\[[0-9;]*m");
    private static final Pattern NUMBER = Pattern.compile("[0-9][0-9.,]*( ?[a-zµ%/]+)?");
    private static final String GAP = "  ";
    private static final int LEAST_COLUMN = 16;

    private final Screen screen;
    private final List<String> headings;
    private final List<List<String>> rows = new ArrayList<>();

    /** Begins a table. */
    public Table(Screen screen, String... headings) {
        this.screen = screen;
        this.headings = List.of(headings);
    }

    /** Adds a row. */
    public void row(String... cells) {
        rows.add(List.of(cells));
    }

    /** Makes one column, without styles in it, so narrow that the lines fit, but not narrower than a few words. */
    public Table shorten(int column, int width) {
        int longest = lines().stream().mapToInt(Table::length).max().orElse(0);
        int widest =
                rows.stream().mapToInt(row -> length(row.get(column))).max().orElse(0);
        int most = Math.max(LEAST_COLUMN, widest - (longest - width));
        if (longest > width && widest > most) {
            rows.replaceAll(row -> {
                List<String> cells = new ArrayList<>(row);
                cells.set(column, cut(cells.get(column), most));
                return List.copyOf(cells);
            });
        }
        return this;
    }

    /** Leaves a column out if the lines do not fit otherwise. */
    public Table without(int column, int width) {
        if (lines().stream().mapToInt(Table::length).max().orElse(0) <= width) {
            return this;
        }
        Table rest = new Table(screen, all(headings, column).toArray(String[]::new));
        rows.forEach(row -> rest.rows.add(all(row, column)));
        return rest;
    }

    private static List<String> all(List<String> cells, int but) {
        List<String> others = new ArrayList<>(cells);
        others.remove(but);
        return List.copyOf(others);
    }

    private static String cut(String cell, int most) {
        return length(cell) <= most ? cell : Columns.first(cell, most - 1) + "…";
    }

    /** What to print. */
    public List<String> lines() {
        int[] widths = new int[headings.size()];
        boolean[] right = new boolean[headings.size()];
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            widths[i] = length(headings.get(i));
            rows.forEach(row -> widths[column] = Math.max(widths[column], length(row.get(column))));
            right[i] = !rows.isEmpty()
                    && rows.stream()
                            .allMatch(
                                    row -> NUMBER.matcher(bare(row.get(column))).matches());
        }
        List<String> lines = new ArrayList<>();
        lines.add(screen.styled(Screen.Style.BOLD, line(headings, widths, right)));
        rows.forEach(row -> lines.add(line(row, widths, right)));
        return lines;
    }

    private static String line(List<String> cells, int[] widths, boolean[] right) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String blanks = " ".repeat(widths[i] - length(cells.get(i)));
            line.append(i == 0 ? "" : GAP);
            line.append(right[i] ? blanks + cells.get(i) : cells.get(i) + blanks);
        }
        return line.toString().stripTrailing();
    }

    private static int length(String cell) {
        return Columns.of(bare(cell));
    }

    private static String bare(String cell) {
        return STYLE.matcher(cell).replaceAll("");
    }
}
