package io.holdfast.engine;

import io.holdfast.spi.TimeSource;

/**
 * What the leases of one client need of it. None of these knows a lease.
 *
 * @param time the clocks
 * @param life whether the client is open
 * @param store for the thread on which a lease is closed in the background, and how long a lease may be
 * @param watchdog renews grants
 * @param endings ends grants
 * @param keeping leaves grants to the store
 * @param callbacks runs what users gave us
 * @param events tells listeners
 * @param log says what must not be silent
 * @param untold the losses that their threads do not know of yet
 * @param closings leases that are given back in the background
 */
record LeaseServices(
        TimeSource time,
        ClientLife life,
        StoreCalls store,
        Watchdog watchdog,
        Endings endings,
        Keeping keeping,
        Callbacks callbacks,
        Events events,
        LeaseLog log,
        Untold untold,
        Closings closings) {}
