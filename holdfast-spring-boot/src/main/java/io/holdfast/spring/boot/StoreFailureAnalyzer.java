package io.holdfast.spring.boot;

import io.holdfast.LockStoreException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** The store was asked when the application started, and cannot be used. The message says what to change there. */
final class StoreFailureAnalyzer extends AbstractFailureAnalyzer<LockStoreException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, LockStoreException cause) {
        return new FailureAnalysis(
                "Holdfast cannot use the store of its locks: " + cause.getMessage(),
                "Change what the message names at the store; or the connection: holdfast.redis.url or"
                        + " spring.data.redis.*, spring.datasource.*, holdfast.zookeeper.connect,"
                        + " holdfast.quorum.urls; or choose another store with holdfast.store."
                        + " A Redis that is only down does not end the start with"
                        + " holdfast.start=when-possible. `holdfast doctor --url …` says more.",
                cause);
    }
}
