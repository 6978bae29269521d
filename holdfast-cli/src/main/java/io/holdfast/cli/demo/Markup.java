package io.holdfast.cli.demo;

/**
 * HTML and SVG in the making. Texts and attributes are escaped here, all of them. Every element has its end, so it is
 * XML as well.
 */
final class Markup {
    private final StringBuilder text = new StringBuilder();

    /** What is markup already. */
    Markup raw(String markup) {
        text.append(markup);
        return this;
    }

    /** @param attributes a name and a value, again and again */
    Markup open(String tag, Object... attributes) {
        text.append('<').append(tag);
        for (int i = 0; i < attributes.length; i += 2) {
            String value = Html.escape(String.valueOf(attributes[i + 1]));
            text.append(' ').append(attributes[i]).append("=\"").append(value).append('"');
        }
        text.append('>');
        return this;
    }

    Markup close(String tag) {
        text.append("</").append(tag).append(">\n");
        return this;
    }

    Markup element(String tag, String words, Object... attributes) {
        open(tag, attributes);
        text.append(Html.escape(words));
        return close(tag);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
