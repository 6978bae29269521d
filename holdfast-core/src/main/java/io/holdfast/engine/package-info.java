/**
 * The one engine behind every lock: waiting, renewing, releasing. May use {@code io.holdfast.spi} and
 * {@code io.holdfast}; knows no store.
 *
 * <p>The way in: {@code EngineLock} (what the user said) → {@code Gate} (the wait loop) → {@code ClaimAttempt} (one
 * question to the store) → {@code StoreGrant} (its answer) → {@code EngineLease} (what the user gets). The way out:
 * {@code EngineLease.close} → {@code Gate.returned} (passed on here, or) → {@code Endings.giveBack}. Beside the way,
 * {@code Watchdog} keeps grants alive and {@code ReleaseRetrier} repeats releases whose outcome is unknown.
 *
 * <p>No class is part of a cycle: each knows those below it only. {@code docs/architecture.md} shows the layers and the
 * walks.
 *
 * <p>Public here is only what a backend's factory and a test need: {@link io.holdfast.engine.LockEngine} and
 * {@link io.holdfast.engine.EngineRuntime}.
 */
@NullMarked
package io.holdfast.engine;

import org.jspecify.annotations.NullMarked;
