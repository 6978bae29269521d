package io.holdfast.redis.driver;

/**
 * Makes text from a server safe for messages and logs. Otherwise a writer on the server could move a log reader's
 * cursor or forge lines.
 *
 * @since 0.1
 */
public final class Printable {
    private Printable() {}

    /**
     * Escapes control characters, ends of lines, and marks that change the writing direction.
     *
     * @param text what a server sent
     * @return the same, with {@code \}{@code u001b} and the like instead
     */
    public static String of(String text) {
        return text.codePoints().anyMatch(Printable::isHidden) ? escaped(text) : text;
    }

    private static String escaped(String text) {
        StringBuilder safe = new StringBuilder(text.length() + 16);
        text.codePoints()
                .forEach(each ->
                        safe.append(isHidden(each) ? String.format("\\u%04x", each) : Character.toString(each)));
        return safe.toString();
    }

    private static boolean isHidden(int character) {
        int type = Character.getType(character);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }
}
