package io.holdfast.comparison;

import java.util.Locale;

/** A picture in the making: a white card, so that it can be read on a dark page too. */
final class Svg {

    static final int WIDTH = 760;

    /** Left and right. */
    static final int MARGIN = 24;

    private static final String STYLE = """
            text { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #24292f }
            .card { fill: #ffffff; stroke: #d0d7de }
            .title { font-size: 18px; font-weight: 600 }
            .small { font-size: 12px; fill: #57606a }
            .strong { font-weight: 600 }
            .alarm { font-weight: 600; fill: #b42318 }
            .grid { stroke: #e4e8ec }
            .axis { stroke: #8c959f }
            .holdfast { fill: #0b6bcb }
            .other { fill: #a9b4c0 }
            .onDark { fill: #ffffff; font-weight: 600 }
            .better0 { fill: #f1f6fc }
            .better1 { fill: #d6e6f7 }
            .better2 { fill: #a9cbee }
            .better3 { fill: #2f7dcb }
            .better4 { fill: #0b6bcb }
            .better5 { fill: #084c91 }
            .worse0 { fill: #fdf3ea }
            .worse1 { fill: #fbe3cc }
            .worse2 { fill: #f7cb9f }
            .worse3 { fill: #f2b06f }
            .worse4 { fill: #ec9744 }
            .worse5 { fill: #e07f20 }
            .limit { fill: #dde3e9; stroke: #a9b4c0; stroke-dasharray: 3 2 }
            """;

    private final StringBuilder text = new StringBuilder();

    Svg(int height, String title, String subtitle) {
        text.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$d\" height=\"%2$d\" viewBox=\"0 0 %1$d %2$d\" role=\"img\">%n",
                WIDTH,
                height));
        text.append("<title>").append(escaped(title + ": " + subtitle)).append("</title>\n");
        text.append("<style>\n").append(STYLE).append("</style>\n");
        text.append(String.format(
                Locale.ROOT,
                "<rect class=\"card\" x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"8\"/>%n",
                WIDTH - 1,
                height - 1));
        text("title", "start", MARGIN, 36, title);
        text("small", "start", MARGIN, 57, subtitle);
    }

    /** @param anchor {@code start}, {@code middle} or {@code end}: which part of the text stands at x */
    void text(String style, String anchor, double x, double y, String words) {
        text.append(String.format(
                Locale.ROOT,
                "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>%n",
                style,
                anchor,
                x,
                y,
                escaped(words)));
    }

    /** @param hint shown when the pointer rests on it */
    void rect(String style, double x, double y, double width, double height, String hint) {
        text.append(String.format(
                Locale.ROOT,
                "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\"><title>%s</title></rect>%n",
                style,
                x,
                y,
                width,
                height,
                escaped(hint)));
    }

    void line(String style, double x1, double y1, double x2, double y2) {
        text.append(String.format(
                Locale.ROOT,
                "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>%n",
                style,
                x1,
                y1,
                x2,
                y2));
    }

    /** The whole file. */
    String done() {
        return text + "</svg>\n";
    }

    /** Also without the control characters that XML cannot hold at all. */
    static String escaped(String words) {
        return words.replaceAll("[\\p{Cntrl}\\uFFFE\\uFFFF]", " ")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
