package io.holdfast.examples.shop;

/** What happens between looking and writing, and takes its time: somebody else's service. */
@FunctionalInterface
public interface Payment {
    void pay(long user) throws InterruptedException;
}
