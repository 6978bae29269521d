package io.holdfast.cli.demo;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a worker is told to do: {@code SALE 0 4 200 5 1}.
 *
 * @param verb what
 * @param numbers depend on the verb
 */
record Order(Verb verb, List<Integer> numbers) {
    enum Verb {
        /**
         * Gather buyers: the worker's place, the workers, the users, the milliseconds a payment takes, and 1 for a
         * lock.
         */
        SALE,
        /** Let them in. */
        GO,
        /** Send one buyer in, the number is the user, who holds the lock and stays at the till for ever. */
        STAND,
        /**
         * Send one buyer in behind the fence, who pays for some milliseconds, checks the lease, and stays at the till
         * until told.
         */
        LATE,
        /** Let that buyer write. */
        WRITE,
        /** Send one buyer in behind the fence, who pays at once. */
        BUY
    }

    static Order of(Verb verb, int... numbers) {
        return new Order(verb, IntStream.of(numbers).boxed().toList());
    }

    static Order sale(int place, int workers, int users, int paymentMillis, boolean locked) {
        return of(Verb.SALE, place, workers, users, paymentMillis, locked ? 1 : 0);
    }

    static Order parse(String text) {
        List<String> words = Arrays.asList(text.split(" ", -1));
        return new Order(
                Verb.valueOf(words.get(0)),
                words.stream().skip(1).map(Integer::valueOf).toList());
    }

    int number(int index) {
        return numbers.get(index);
    }

    @Override
    public String toString() {
        return numbers.stream().map(number -> " " + number).collect(Collectors.joining("", verb.toString(), ""));
    }
}
