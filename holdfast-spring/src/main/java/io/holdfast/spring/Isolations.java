package io.holdfast.spring;

/** Isolation levels in words. */
final class Isolations {
    /** {@code Connection.TRANSACTION_SERIALIZABLE}. */
    private static final int SERIALIZABLE = 8;

    private Isolations() {}

    static String why(int level) {
        return why(level >= SERIALIZABLE ? "SERIALIZABLE" : "REPEATABLE READ");
    }

    static String why(String level) {
        return "a transaction was there before, and at " + level
                + " it does not see what others have committed since it began";
    }
}
