package io.holdfast.cli.demo;

import java.util.List;
import java.util.Locale;

/** How many vouchers were sold at each moment, and how many there were. */
final class Curve {
    private static final int HEIGHT = 110;
    private static final int LEAST_STOCK = 10;
    private static final double HEADROOM = 1.15;
    private static final double WHOLE = 1_000;

    private final Timeline timeline;
    private final Markup svg;
    private final double most;

    Curve(Timeline timeline, Markup svg) {
        this.timeline = timeline;
        this.svg = svg;
        this.most = HEADROOM * Math.max(timeline.stock(), timeline.sales().size());
    }

    /** Nothing, if there is too little to see. */
    void draw() {
        int stock = timeline.stock();
        int sold = timeline.sales().size();
        if (stock < LEAST_STOCK) {
            return;
        }
        svg.open("div", "class", "names").element("div", "sold", "style", "height:" + (HEIGHT / 2 + 10) + "px");
        svg.close("div").open("svg", "role", "img", "aria-label", "vouchers sold over time", "height", HEIGHT);
        svg.open("svg", "viewBox", "0 0 1000 1000", "preserveAspectRatio", "none", "height", HEIGHT);
        svg.element("polyline", "", "class", sold > stock ? "curve over" : "curve", "points", points());
        svg.close("svg");
        String y = pixels(stock, 0);
        svg.element("line", "", "class", "stock", "x1", 0, "x2", "100%", "y1", y, "y2", y);
        // Where the curve is not.
        svg.element("text", stock + " vouchers", "x", 3, "y", pixels(stock, sold > stock ? -5 : 14));
        if (sold > stock) {
            svg.element("text", sold + " sold", "class", "total", "x", "100%", "y", pixels(sold, -4), "dx", -2);
        }
        svg.close("svg");
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
