package io.holdfast.spring.boot;

import io.holdfast.LockClient;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Two clients and no primary. Before Boot's own analyzer, which does not know what a client can be named by. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class SeveralClientsFailureAnalyzer extends AbstractFailureAnalyzer<NoUniqueBeanDefinitionException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoUniqueBeanDefinitionException cause) {
        if (cause.getBeanType() != LockClient.class) {
            return null;
        }
        Collection<String> names = cause.getBeanNamesFound();
        return new FailureAnalysis(
                "There are several beans of type LockClient, and none is primary"
                        + (names == null ? "." : ": " + String.join(", ", names) + "."),
                "Mark one of them with @Primary; methods choose another one with @Locked(client = \"…\").",
                cause);
    }
}
