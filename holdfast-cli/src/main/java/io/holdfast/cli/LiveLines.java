package io.holdfast.cli;

import java.util.List;

/**
 * A few lines that are drawn again in the same place, on a terminal only. While they are there the cursor is hidden; it is back however the program ends, short of
 * being killed.
 */
public final class LiveLines implements AutoCloseable {
    private static final String UP = "\u001b[%dA";
    private static final String CLEAR_LINE = "\u001b[2K";
    private static final String CLEAR_BELOW = "\u001b[0J";
    private static final String HIDE_CURSOR = "\u001b[?25l";
    private static final String SHOW_CURSOR = "\u001b[?25h";

    private final Screen screen;
    private final int width;
    private final Thread rescue = new Thread(this::showCursor, "holdfast-cursor");
    private int drawn;
    private boolean open;

    LiveLines(Screen screen) {
        this.screen = screen;
        this.width = screen.width();
        if (screen.isTerminal()) {
            Runtime.getRuntime().addShutdownHook(rescue);
            screen.raw(HIDE_CURSOR);
            open = true;
        }
    }

    /** Draws these in place of those before. Without a terminal, nothing. */
    public synchronized void show(List<String> lines) {
        if (!open) {
            return;
        }
        StringBuilder text = new StringBuilder();
        if (drawn > 0) {
            text.append(String.format(UP, drawn)).append('\r');
        }
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
        String up = drawn > 0 ? String.format(UP, drawn) + "\r" : "";
        screen.raw(up + CLEAR_BELOW + line + "\n");
        drawn = 0;
    }

    /** As much as fits, counted without what only colours it. */
    static String cut(String line, int width) {
        StringBuilder kept = new StringBuilder();
        int columns = 0;
        boolean styled = false;
        for (int i = 0; i < line.length(); i++) {
            char next = line.charAt(i);
            if (next == '\u001b') {
                int end = line.indexOf('m', i);
                kept.append(line, i, end + 1);
                i = end;
                styled = true;
            } else if (columns < width) {
                kept.append(next);
                columns++;
            }
        }
        return styled ? kept + "\u001b[0m" : kept.toString();
    }

    private void showCursor() {
        screen.raw(SHOW_CURSOR);
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
