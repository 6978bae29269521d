package io.holdfast.cli.screen;

import java.util.ArrayList;
import java.util.List;

/**
 * A few lines that are drawn again in the same place, on a terminal only. While they are there the cursor is hidden; it
 * is back however the program ends, short of being killed.
 */
public final class LiveLines implements AutoCloseable {
    private static final String CLEAR_LINE = "\u001b[2K";
    private static final String CLEAR_BELOW = "\u001b[0J";
    private static final String HIDE_CURSOR = "\u001b[?25l";
    private static final String SHOW_CURSOR = "\u001b[?25h";

    private final Screen screen;
    private final int width;
    private final int height;
    private final Thread rescue = new Thread(this::showCursor, "holdfast-cursor");
    private int drawn;
    private boolean open;

    LiveLines(Screen screen) {
        this.screen = screen;
        this.width = screen.width();
        this.height = screen.height();
        if (screen.isTerminal()) {
            Runtime.getRuntime().addShutdownHook(rescue);
            screen.raw(HIDE_CURSOR);
            open = true;
        }
    }

    /** Draws these in place of those before, as many as fit. Without a terminal, nothing. */
    public synchronized void show(List<String> all) {
        if (!open) {
            return;
        }
        List<String> lines = fitting(all, height - 1);
        StringBuilder text = new StringBuilder();
        text.append(up());
        for (String line : lines) {
            text.append(CLEAR_LINE).append(cut(line, width - 1)).append('\n');
        }
        text.append(CLEAR_BELOW);
        drawn = lines.size();
        screen.raw(text.toString());
    }

    /** A line above them that stays. */
    public synchronized void print(String line) {
        if (!open) {
            screen.line(line);
            return;
        }
        screen.raw(up() + CLEAR_BELOW + line + "\n");
        drawn = 0;
    }

    /** What has scrolled away cannot be drawn over. */
    static List<String> fitting(List<String> lines, int height) {
        if (lines.size() <= height || height < 1) {
            return lines;
        }
        List<String> first = new ArrayList<>(lines.subList(0, height - 1));
        first.add("… and " + (lines.size() - first.size()) + " more lines");
        return first;
    }

    /** Moves the cursor to the beginning of what was drawn last. */
    private String up() {
        return drawn > 0 ? "\u001b[" + drawn + "A\r" : "";
    }

    /** The part of a line that fits, counted without what only colours it. */
    static String cut(String line, int width) {
        StringBuilder kept = new StringBuilder();
        int columns = 0;
        boolean styled = false;
        for (int i = 0; i < line.length(); ) {
            int next = line.codePointAt(i);
            int end = i + Character.charCount(next);
            if (next == '\u001b') {
                end = line.indexOf('m', i) + 1;
                kept.append(line, i, end);
                styled = true;
            } else {
                columns += Columns.of(next);
                kept.append(columns <= width ? Character.toString(next) : "");
            }
            i = end;
        }
        return styled ? kept + "\u001b[0m" : kept.toString();
    }

    /** If the terminal is gone, so is its cursor: no reason to complain. */
    private void showCursor() {
        screen.out().print(SHOW_CURSOR);
        screen.out().flush();
    }

    /** Leaves what was drawn last where it is. */
    @Override
    public synchronized void close() {
        if (open) {
            open = false;
            showCursor();
            try {
                Runtime.getRuntime().removeShutdownHook(rescue);
            } catch (IllegalStateException ending) {
                // It runs already, and shows the cursor once more.
                drawn = 0;
            }
        }
    }
}
