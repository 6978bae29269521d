package io.holdfast.engine;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/** Makes futures for users of our own futures. A value that comes too late is given back, and a cancel is passed on. */
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
