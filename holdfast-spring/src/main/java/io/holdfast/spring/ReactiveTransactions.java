package io.holdfast.spring;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import reactor.core.publisher.Mono;

/** What publishers have to know of transactions, which are in their Reactor context. */
interface ReactiveTransactions {

    /** A transaction of this context that was there before the lock. */
    interface Present {

        /** Leaves the lock to the transaction, as {@link Transactions.Present#keep} does. */
        void keep(Holding holding);

        /** As {@link Transactions.Present#borrow}. */
        void borrow(Holding holding);

        /** As {@link Transactions.Present#isBefore}. */
        boolean isBefore(Holding holding);
    }

    /** As {@link Transactions#present}. */
    Mono<Optional<Present>> present(Joining joining, List<String> names, BooleanSupplier ownTransaction);

    /** What the transaction of this context keeps, also when the calls that acquired it have ended. */
    Mono<List<Holding>> kept();

    /** Asks what is still held then before the transaction of this context commits, if there is one. */
    Mono<Void> guard(List<Holding> held);
}
