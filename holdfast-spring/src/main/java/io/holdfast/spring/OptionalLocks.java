package io.holdfast.spring;

import java.util.ArrayList;
import java.util.List;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/** Chooses the configurations whose libraries are there, by name: the others are not loaded. */
final class OptionalLocks implements ImportSelector {

    @Override
    public String[] selectImports(AnnotationMetadata importing) {
        boolean reactor = isPresent("reactor.core.publisher.Mono");
        boolean transactions = isPresent("org.springframework.transaction.support.TransactionSynchronization");
        List<String> names = new ArrayList<>();
        if (transactions) {
            names.add("TransactionLocksConfiguration");
        }
        if (reactor) {
            names.add("ReactiveLocksConfiguration");
        }
        if (reactor && transactions) {
            names.add("ReactiveTransactionLocksConfiguration");
        }
        if (transactions
                && isPresent("org.springframework.jdbc.datasource.DataSourceUtils")
                && isPresent("io.holdfast.fence.JdbcFence")) {
            names.add("FenceConfiguration");
        }
        String folder = OptionalLocks.class.getPackageName() + ".";
        return names.stream().map(name -> folder + name).toArray(String[]::new);
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, OptionalLocks.class.getClassLoader());
    }
}
