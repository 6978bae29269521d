package io.holdfast.cli.demo;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Texts and numbers as a page wants them. */
final class Html {
    private Html() {}

    /** The text, whatever is in it, as text: also inside an attribute, and in XML. */
    static String escape(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(each -> {
            switch (each) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                case '\n', '\t' -> escaped.append((char) each);
                // Neither HTML nor XML knows a way to write these, nor half of a pair.
                default ->
                    escaped.appendCodePoint(
                            each < ' ' || Character.getType(each) == Character.SURROGATE ? '\ufffd' : each);
            }
        });
        return escaped.toString();
    }

    /** A share of the whole. */
    static String percent(long part, long whole) {
        return String.format(Locale.ROOT, "%.2f%%", whole <= 0 ? 0 : 100.0 * part / whole);
    }

    /** A time in seconds, to the millisecond. */
    static String time(long micros) {
        return String.format(Locale.ROOT, "%.3f s", micros / (double) TimeUnit.SECONDS.toMicros(1));
    }
}
