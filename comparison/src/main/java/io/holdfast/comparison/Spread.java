package io.holdfast.comparison;

import java.util.Arrays;
import java.util.Locale;

/** The middle of many values, and between which two of them the middle half lies. */
record Spread(double low, double median, double high) {

    static Spread of(double... values) {
        double[] sorted =
                Arrays.stream(values).filter(Double::isFinite).sorted().toArray();
        return new Spread(at(sorted, 0.25), at(sorted, 0.5), at(sorted, 0.75));
    }

    /** Between two neighbours where it falls between them. */
    private static double at(double[] sorted, double part) {
        if (sorted.length == 0) {
            return Double.NaN;
        }
        double place = part * (sorted.length - 1);
        int below = (int) Math.floor(place);
        int above = (int) Math.ceil(place);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }

    @Override
    public String toString() {
        return Double.isNaN(median) ? Numbers.NONE : String.format(Locale.ROOT, "%.2f (%.2f–%.2f)", median, low, high);
    }
}
