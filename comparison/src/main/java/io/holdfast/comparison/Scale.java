package io.holdfast.comparison;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * How long the bars of a chart are. Linear from zero, or logarithmic where the small ones could not be seen otherwise.
 *
 * @param low where the axis begins
 * @param high where it ends
 */
record Scale(double low, double high, boolean logarithmic) {

    /** The largest may be so many times the smallest before the scale turns logarithmic. */
    private static final double LINEAR_RANGE = 20;

    /** Not many more fit beside each other. */
    private static final int TICKS = 5;

    /** For all values that can be shown; others are left out. */
    static Scale of(DoubleStream values) {
        double[] shown =
                values.filter(value -> Double.isFinite(value) && value > 0).toArray();
        double largest = Arrays.stream(shown).max().orElse(1);
        double smallest = Arrays.stream(shown).min().orElse(1);
        if (largest <= LINEAR_RANGE * smallest) {
            return new Scale(0, largest, false);
        }
        // A bar that begins at its own value would have no length.
        double low = Math.pow(10, Math.floor(Math.log10(smallest / 1.5)));
        return new Scale(low, largest, true);
    }

    /** From 0 to 1. */
    double share(double value) {
        if (!Double.isFinite(value) || value <= low) {
            return 0;
        }
        double share = logarithmic ? Math.log(value / low) / Math.log(high / low) : value / high;
        return Math.min(1, share);
    }

    List<Double> ticks() {
        return logarithmic ? decades() : round();
    }

    private List<Double> decades() {
        int first = (int) Math.round(Math.log10(low));
        int last = (int) Math.floor(Math.log10(high));
        int step = Math.max(1, (int) Math.ceil((last - first) / (double) TICKS));
        return IntStream.rangeClosed(0, (last - first) / step)
                .mapToObj(tick -> Math.pow(10, first + tick * step))
                .toList();
    }

    private List<Double> round() {
        double rough = high / TICKS;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double step = DoubleStream.of(1, 2, 5, 10)
                .map(factor -> factor * power)
                .filter(each -> each >= rough * 0.999)
                .findFirst()
                .orElse(rough);
        return IntStream.rangeClosed(0, (int) Math.floor(high / step * 1.0001))
                .mapToObj(tick -> tick * step)
                .toList();
    }
}
