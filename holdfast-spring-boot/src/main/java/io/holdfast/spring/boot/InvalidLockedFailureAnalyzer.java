package io.holdfast.spring.boot;

import io.holdfast.spring.InvalidLockedException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Something is wrong with a locked method: which, what stands there, what is possible. */
final class InvalidLockedFailureAnalyzer extends AbstractFailureAnalyzer<InvalidLockedException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidLockedException cause) {
        StringBuilder text =
                new StringBuilder("A method cannot be locked as it says:\n\n    method:    ").append(cause.place());
        if (!cause.attribute().isEmpty()) {
            text.append("\n    attribute: ").append(cause.attribute());
        }
        text.append("\n    value:     ").append(cause.value());
        text.append("\n\n").append(cause.problem()).append('.');
        return new FailureAnalysis(text.toString(), cause.possible() + ".", cause);
    }
}
