package io.holdfast.engine;

import io.holdfast.spi.TimeSource;

/**
 * What the locks of one client need of it.
 *
 * @param life whether the client is open
 * @param runtime threads and clocks
 * @param store for a look at the store, its workers, and how long a lease may be
 * @param waiting where callers that wait are known
 * @param gates what gates need
 */
record Acquisitions(ClientLife life, EngineRuntime runtime, StoreCalls store, Waiting waiting, GateServices gates) {

    TimeSource time() {
        return runtime.time();
    }
}
