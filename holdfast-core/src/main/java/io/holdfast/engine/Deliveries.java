package io.holdfast.engine;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/** Futures for users, over futures of ours: what reaches one that is done already goes back, and its cancel comes through. */
final class Deliveries {
    private Deliveries() {}

    /**
     * Makes the future that a user gets.
     *
     * @param source ours
     * @param result what the user gets of its value
     * @param giveBack what to do with a value that nobody takes
     */
    static <S, T> CompletableFuture<T> of(CompletableFuture<S> source, Function<S, T> result, Consumer<S> giveBack) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        source.whenComplete((value, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
            } else if (!answer.complete(result.apply(value))) {
                giveBack.accept(value);
            }
        });
        answer.whenComplete((value, failure) -> source.cancel(false));
        return answer;
    }
}
