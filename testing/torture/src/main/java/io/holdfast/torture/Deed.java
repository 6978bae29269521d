package io.holdfast.torture;

/** What was done, and whether it may break something. */
record Deed(String detail, boolean mayBreak) {

    static Deed safe(String detail) {
        return new Deed(detail, false);
    }
}
