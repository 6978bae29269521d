/**
 * The one engine behind every lock: local gate, wait loop, watchdog, release. May use {@code io.holdfast.spi} and {@code io.holdfast};
 * knows no store.
 *
 * <p>The way in: {@code EngineLock} (what the user said) → {@code Gate} (the client's own line, the wait loop) →
 * {@code LockBackend.attempt} → {@code StoreGrant} (the store's grant) → {@code EngineLease} (what the user gets). The way out: {@code EngineLease.close} →
 * {@code Gate.give} (pass on here, or) → {@code LockBackend.release}. Beside the way, {@code Watchdog} keeps holds alive and {@code ReleaseRetrier} repeats
 * releases whose outcome is unknown.
 *
 * <p>Public here is only what a backend's factory and a test need: {@link io.holdfast.engine.LockEngine} and
 * {@link io.holdfast.engine.EngineRuntime}.
 */
@NullMarked
package io.holdfast.engine;

import org.jspecify.annotations.NullMarked;
