package io.holdfast.examples.shop;

/**
 * What the books say after a sale.
 *
 * @param vouchers how many there were to sell
 * @param sold how many orders there are
 * @param duplicates how many of the orders are a second one of the same user
 */
public record Sales(int vouchers, int sold, int duplicates) {

    /** How many were sold that did not exist. */
    public int oversold() {
        return Math.max(0, sold - vouchers);
    }

    @Override
    public String toString() {
        return vouchers + " vouchers, " + sold + " sold, " + oversold() + " too many, " + duplicates + " bought twice";
    }
}
