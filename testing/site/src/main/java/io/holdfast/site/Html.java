package io.holdfast.site;

import java.util.Locale;

/** Texts as HTML and scripts want them. */
final class Html {
    private Html() {}

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** A literal of JavaScript. */
    static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(each -> {
            if (each < ' ' || each == '<' || each == '\u2028' || each == '\u2029') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", each));
            } else if (each == '"' || each == '\\') {
                quoted.append('\\').append((char) each);
            } else {
                quoted.append((char) each);
            }
        });
        return quoted.append('"').toString();
    }
}
