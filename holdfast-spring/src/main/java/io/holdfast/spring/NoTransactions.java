package io.holdfast.spring;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Where {@code spring-tx} is missing. */
final class NoTransactions implements Transactions {

    @Override
    public @Nullable Present present(Joining joining, List<String> names, BooleanSupplier ownTransaction) {
        return null;
    }

    @Override
    public boolean isOwn(MethodInvocation invocation) {
        return false;
    }
}
