package io.holdfast.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where {@code spring-tx} is missing. */
final class NoTransactions implements Transactions {

    @Override
    public @Nullable Present present(Joining joining, List<String> names) {
        return null;
    }
}
