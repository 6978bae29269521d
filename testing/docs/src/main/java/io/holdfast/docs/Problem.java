package io.holdfast.docs;

/**
 * Something that a page says and that is not so.
 *
 * @param where page and line
 * @param what what is wrong
 */
record Problem(String where, String what) {
    @Override
    public String toString() {
        return where + ": " + what;
    }
}
