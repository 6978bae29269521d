package io.holdfast.torture;

import io.holdfast.Safety;

/**
 * What the nemesis can do, by the row of the fault matrix.
 *
 * <p>Exclusion and token order must hold through each of them, except where the setting says that they may not: then
 * what breaks during the fault and one lease after it is counted as documented. All other rules, and the fenced counter
 * above all, hold always.
 */
enum Fault {
    KILL(
            "1",
            "server killed, restarted with its file",
            Trait.EVERYWHERE | Trait.QUORUM | Trait.JDBC | Trait.ZOOKEEPER | Trait.FAILS_OVER),
    KILL_EMPTY(
            "2", "server killed, restarted empty", Trait.EVERYWHERE | Trait.QUORUM | Trait.ZOOKEEPER | Trait.FORGETS),
    KILL_ROLLED_BACK(
            "3", "server killed, restarted from an older file", Trait.EVERYWHERE | Trait.QUORUM | Trait.FORGETS),
    SERVER_PAUSE(
            "4",
            "server stands still",
            Trait.EVERYWHERE | Trait.QUORUM | Trait.JDBC | Trait.ZOOKEEPER | Trait.FAILS_OVER),
    CLIENT_PAUSE("5", "client stands still", Trait.EVERYWHERE | Trait.QUORUM | Trait.JDBC | Trait.ZOOKEEPER),
    CLIENT_KILL("6", "client killed", Trait.EVERYWHERE | Trait.QUORUM | Trait.JDBC | Trait.ZOOKEEPER),
    REPLY_LOST("7", "replies lost", Trait.EVERYWHERE | Trait.QUORUM),
    REQUEST_LATE("8", "requests late", Trait.EVERYWHERE | Trait.QUORUM | Trait.JDBC | Trait.ZOOKEEPER),
    REQUEST_TWICE("9", "requests executed twice", Trait.EVERYWHERE | Trait.QUORUM),
    WIRE_CUT("10", "one-way cut, half open, reset", Trait.EVERYWHERE | Trait.QUORUM | Trait.JDBC | Trait.ZOOKEEPER),
    CUT_OFF_MINORITY("11a", "clients cut off from fewer than half of the nodes", Trait.QUORUM),
    CUT_OFF_MAJORITY("11b", "a client cut off from most nodes", Trait.QUORUM),
    BRIDGE("11c", "clients that see different majorities", Trait.QUORUM),
    FAILOVER("12", "failover by command", Trait.SENTINEL | Trait.CLUSTER | Trait.FAILS_OVER),
    LOSSY_FAILOVER(
            "13",
            "failover with lost writes",
            Trait.SENTINEL | Trait.CLUSTER | Trait.JDBC | Trait.FORGETS | Trait.AVAILABLE),
    GUARDED_FAILOVER(
            "14", "failover with lost writes, guarded", Trait.SENTINEL | Trait.CLUSTER | Trait.JDBC | Trait.STRICT),
    DEMOTION("16", "master demoted and promoted again", Trait.SINGLE | Trait.SENTINEL | Trait.FAILS_OVER),
    CLOCK_FORWARD(
            "17a",
            "server clock forward, within the margin",
            Trait.EVERYWHERE | Trait.QUORUM | Trait.JDBC | Trait.CLOCK),
    CLOCK_LEAP(
            "17b",
            "server clock forward, beyond the margin",
            Trait.EVERYWHERE | Trait.QUORUM | Trait.JDBC | Trait.ZOOKEEPER | Trait.CLOCK | Trait.BREAKS),
    CLOCK_BACK(
            "18",
            "server clock back",
            Trait.EVERYWHERE | Trait.QUORUM | Trait.JDBC | Trait.ZOOKEEPER | Trait.CLOCK | Trait.FAILS_OVER),
    CLOCK_DRIFT("19", "server clocks run fast and slow, within the margin", Trait.QUORUM | Trait.CLOCK),
    CLIENT_CLOCK("20", "client's wall clock set forward or back", Trait.QUORUM | Trait.CLOCK),
    DELETION("21", "FLUSHALL, or DEL of a lock", Trait.EVERYWHERE | Trait.BREAKS),
    FLUSH("21a", "FLUSHALL of a node", Trait.QUORUM),
    DELETION_ON_NODE("21b", "DEL of a lock on one node", Trait.QUORUM),
    SCRIPTS("22", "scripts forgotten, or a script that keeps the server busy", Trait.EVERYWHERE | Trait.FAILS_OVER),
    CONNECTIONS("23", "connections cut by the server, tiny message buffers", Trait.EVERYWHERE),
    MEMORY("24", "server out of memory", Trait.EVERYWHERE),
    SLOT_MIGRATION("26", "slot moved under load", Trait.CLUSTER),
    PERMISSIONS("27", "user loses its keys or channels", Trait.EVERYWHERE),
    ROLLING_RESTART("28", "all nodes restarted one after the other, under a holder", Trait.QUORUM | Trait.ZOOKEEPER),
    MIX("32", "two to four of these at once", Trait.QUORUM),
    PARTITION(
            "33",
            "master parted from replicas and Sentinels, both sides alive",
            Trait.SENTINEL | Trait.CLUSTER | Trait.FORGETS),
    SILENT_DEATH(
            "34",
            "master silent for longer than a failover, under a holder",
            Trait.SENTINEL | Trait.CLUSTER | Trait.FAILS_OVER),
    GUARD_MIGRATION("35a", "shard restarted empty, its slots moved while it is shut", Trait.CLUSTER | Trait.STRICT),
    GUARD_CLOCK(
            "35b",
            "server restarted with a slow clock, which is then set right",
            Trait.SINGLE | Trait.STRICT | Trait.CLOCK),
    ROLLED_BACK_CLOCK(
            "36",
            "server restarted from an older file, with its clock set back",
            Trait.EVERYWHERE | Trait.CLOCK | Trait.FORGETS),
    CROWD("38", "thousands of waiters killed at once", Trait.EVERYWHERE),
    BROKEN_LOCKS("39", "locks broken and garbage collected under users of Lock", Trait.EVERYWHERE | Trait.BREAKS),
    TABLE_LOCKED("40", "table locked by somebody", Trait.JDBC),
    SERVER_CUT_OFF("41", "server cut off from the others, while its clients go on", Trait.ZOOKEEPER),
    SESSION_CLOSED("42", "sessions closed by somebody else", Trait.ZOOKEEPER),
    SESSION_OVER("43", "clients cut off for longer than their session", Trait.ZOOKEEPER),
    ROW_LOCKED("44", "row locked by somebody", Trait.JDBC),
    STATEMENT_LIMIT("45", "a statement timeout of some milliseconds", Trait.JDBC),
    CONNECTIONS_TAKEN("46", "every connection of the server taken by somebody", Trait.JDBC),
    BACKUP("47", "a backup reads everything in one snapshot", Trait.JDBC),
    WATCHES_LOST("48", "what watches tell is lost", Trait.ZOOKEEPER),
    SESSION_SLEPT("49", "client stands still for longer than its session", Trait.ZOOKEEPER);

    /** What the rows have in common. */
    private static final class Trait {
        static final int SINGLE = 1;
        static final int SENTINEL = 1 << 1;
        static final int CLUSTER = 1 << 2;
        static final int EVERYWHERE = SINGLE | SENTINEL | CLUSTER;
        static final int QUORUM = 1 << 9;
        static final int JDBC = 1 << 10;
        static final int ZOOKEEPER = 1 << 11;

        /** Only with one of the settings. */
        static final int AVAILABLE = 1 << 3;

        static final int STRICT = 1 << 4;

        /** Moves the clock of a server. */
        static final int CLOCK = 1 << 5;

        /** The server forgets: exclusion is promised only with {@link Safety#STRICT}. */
        static final int FORGETS = 1 << 6;

        /** Where there are replicas, one may take over that has not heard everything: then as {@link #FORGETS}. */
        static final int FAILS_OVER = 1 << 7;

        /** Exclusion is not promised, whatever the setting. */
        static final int BREAKS = 1 << 8;
    }

    private final String row;
    private final String title;
    private final int traits;

    Fault(String row, String title, int traits) {
        this.row = row;
        this.title = title;
        this.traits = traits;
    }

    /** The row of the fault matrix, with a letter where it has two parts that promise different things. */
    String row() {
        return row;
    }

    String title() {
        return title;
    }

    private boolean has(int trait) {
        return (traits & trait) != 0;
    }

    boolean movesClock() {
        return has(Trait.CLOCK);
    }

    boolean needsReplica() {
        return this == LOSSY_FAILOVER || this == GUARDED_FAILOVER;
    }

    boolean happensIn(Mode mode, Safety safety) {
        boolean here = switch (mode) {
            case SINGLE -> has(Trait.SINGLE);
            case SENTINEL -> has(Trait.SENTINEL);
            case CLUSTER -> has(Trait.CLUSTER);
            case QUORUM -> has(Trait.QUORUM);
            case JDBC -> has(Trait.JDBC);
            case ZOOKEEPER -> has(Trait.ZOOKEEPER);
        };
        boolean limited = has(Trait.AVAILABLE) || has(Trait.STRICT);
        return here && (!limited || has(safety == Safety.STRICT ? Trait.STRICT : Trait.AVAILABLE));
    }

    /** May two hold the same lock for a while, as the documentation says? */
    boolean mayBreak(Mode mode, Safety safety) {
        if (mode == Mode.QUORUM) {
            return this == CLOCK_LEAP
                    || this == DELETION_ON_NODE; // unless the holder was on all nodes: that shows only then
        }
        if (mode == Mode.ZOOKEEPER) {
            // What it had acknowledged with one other may be with that one alone; who closes a session breaks its
            // locks.
            return this == KILL_EMPTY || this == SESSION_CLOSED;
        }
        boolean forgets = has(Trait.FORGETS) || (has(Trait.FAILS_OVER) && mode.isReplicated());
        return has(Trait.BREAKS) || (forgets && safety == Safety.AVAILABLE);
    }

    /** Does the user mean this one: its row, with or without the letter, or its name? */
    boolean isCalled(String word) {
        boolean part =
                row.length() > word.length() && row.startsWith(word) && Character.isLetter(row.charAt(word.length()));
        return part || word.equalsIgnoreCase(row) || word.equalsIgnoreCase(name().replace('_', '-'));
    }
}
