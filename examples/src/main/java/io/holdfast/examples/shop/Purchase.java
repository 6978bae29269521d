package io.holdfast.examples.shop;

/** How a click on "buy" ended. */
public enum Purchase {
    SOLD,
    SOLD_OUT,
    BOUGHT_BEFORE
}
