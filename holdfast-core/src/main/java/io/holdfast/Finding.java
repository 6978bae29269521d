package io.holdfast;

import java.util.Objects;

/**
 * One thing that was looked at when a store was examined, and what was found.
 *
 * <p><b>Threads.</b> Immutable. Made by those who examine stores; applications only read it.
 *
 * @since 0.1
 */
public final class Finding {

    /** How bad it is. */
    public enum Level {
        /** As it should be. */
        OK,
        /** Works, but not as well or as safely as it could. */
        WARN,
        /** No client can use the store, or not for long. */
        FAIL
    }

    private final Level level;
    private final String server;
    private final String check;
    private final String text;
    private final String remedy;

    private Finding(Level level, String server, String check, String text, String remedy) {
        this.level = Objects.requireNonNull(level, "level");
        this.server = Objects.requireNonNull(server, "server");
        this.check = Objects.requireNonNull(check, "check");
        this.text = Objects.requireNonNull(text, "text");
        this.remedy = Objects.requireNonNull(remedy, "remedy");
    }

    /**
     * Makes a finding.
     *
     * @param level how bad it is
     * @param server where: the server, as people know it
     * @param check what was looked at, in a word or two
     * @param text what was found
     * @param remedy what to change, or empty when all is well
     * @return the finding
     */
    public static Finding of(Level level, String server, String check, String text, String remedy) {
        return new Finding(level, server, check, text, remedy);
    }

    /**
     * Returns how bad it is.
     *
     * @return the level
     */
    public Level level() {
        return level;
    }

    /**
     * Returns where it was found.
     *
     * @return the server, as people know it, for instance {@code host:port}
     */
    public String server() {
        return server;
    }

    /**
     * Returns what was looked at.
     *
     * @return a word or two
     */
    public String check() {
        return check;
    }

    /**
     * Returns what was found.
     *
     * @return a sentence
     */
    public String text() {
        return text;
    }

    /**
     * Returns what to change.
     *
     * @return what to do, or empty when all is well
     */
    public String remedy() {
        return remedy;
    }

    @Override
    public String toString() {
        return level + " " + server + " " + check + ": " + text + (remedy.isEmpty() ? "" : "; " + remedy);
    }
}
