package io.holdfast.spring.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** The configuration cannot be used: why, and the line to change. */
final class StartFailureAnalyzer extends AbstractFailureAnalyzer<HoldfastStartException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, HoldfastStartException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.action(), cause);
    }
}
