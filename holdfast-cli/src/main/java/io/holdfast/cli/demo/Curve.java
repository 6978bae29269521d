package io.holdfast.cli.demo;

import java.util.List;
import java.util.Locale;

/** How many vouchers were sold at each moment, and how many there were. */
final class Curve {
    static final int HEIGHT = 110;

    private static final int LEAST_STOCK = 10;
    private static final double HEADROOM = 1.15;
    private static final double WHOLE = 1_000;

    private final Timeline timeline;
    private final Words words;
    private final Markup svg;
    private final double most;

    Curve(Timeline timeline, Words words, Markup svg) {
        this.timeline = timeline;
        this.words = words;
        this.svg = svg;
        this.most = HEADROOM * Math.max(timeline.stock(), timeline.sales().size());
    }

    /** Is there enough to see? */
    boolean isWorthIt() {
        return timeline.stock() >= LEAST_STOCK;
    }

    /** In a page. What it says of the stock stands beside it, where no curve is, however narrow the window. */
    void draw() {
        if (!isWorthIt()) {
            return;
        }
        svg.open("div", "class", "names").element("div", stock(), "style", "height:" + (stockHeight() + 10) + "px");
        svg.close("div").open("svg", "role", "img", "aria-label", words.say("curve.label"), "height", HEIGHT);
        line();
        svg.close("svg");
    }

    String stock() {
        return words.say("curve.stock", timeline.stock());
    }

    /** How far down the line of the stock is, in pixels. */
    int stockHeight() {
        return (int) Math.round(y(timeline.stock()) * HEIGHT / WHOLE);
    }

    /** The drawing itself, inside of an element that says how wide it is. Its one text is above all of the curve. */
    void line() {
        int stock = timeline.stock();
        int sold = timeline.sales().size();
        svg.open("svg", "viewBox", "0 0 1000 1000", "preserveAspectRatio", "none", "height", HEIGHT);
        svg.element("polyline", "", "class", sold > stock ? "curve over" : "curve", "points", points());
        svg.close("svg");
        String y = pixels(stock, 0);
        svg.element("line", "", "class", "stock", "x1", 0, "x2", "100%", "y1", y, "y2", y);
        String above = pixels(Math.max(stock, sold), -4);
        svg.element("text", words.say("curve.sold", sold), "class", "total", "x", "100%", "y", above, "dx", -2);
    }

    private String pixels(int sold, int shift) {
        return String.format(Locale.ROOT, "%.1f", y(sold) * HEIGHT / WHOLE + shift);
    }

    /** A step for each sale. */
    private String points() {
        List<Long> sales = timeline.sales();
        double end = Math.max(1, timeline.endMicros());
        StringBuilder points = new StringBuilder(point(0, 0));
        for (int i = 0; i < sales.size(); i++) {
            double x = WHOLE * sales.get(i) / end;
            points.append(point(x, i)).append(point(x, i + 1));
        }
        return points.append(point(WHOLE, sales.size())).toString();
    }

    private String point(double x, int sold) {
        return String.format(Locale.ROOT, "%.1f,%.1f ", x, y(sold));
    }

    /** The height of a point, in thousandths from above. */
    private double y(int sold) {
        return WHOLE - WHOLE * sold / most;
    }
}
