package io.holdfast.engine;

import io.holdfast.spi.TimeSource;

/**
 * What the gates of one client need of it. None of these knows a gate.
 *
 * @param time the clocks
 * @param life whether the client is open
 * @param attempts asks the store
 * @param leases makes leases of grants
 * @param endings takes grants back
 * @param events tells listeners
 */
record GateServices(
        TimeSource time, ClientLife life, ClaimAttempts attempts, Leases leases, Endings endings, Events events) {}
