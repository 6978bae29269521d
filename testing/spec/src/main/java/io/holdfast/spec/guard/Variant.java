package io.holdfast.spec.guard;

import io.holdfast.spec.guard.Rules.Asked;
import io.holdfast.spec.guard.Rules.Stop;
import java.util.List;
import java.util.function.Consumer;

/**
 * Rules to check, and what is expected of them.
 *
 * @param name how the page calls it
 * @param safe whether at most one client believes in a lease in every state; otherwise a state must be found in which
 *     two do
 * @param inBuild whether {@code mvn verify} checks it; {@code bin/check-spec} checks all
 * @param about one sentence
 * @param change what is different from what is implemented
 */
public record Variant(String name, boolean safe, boolean inBuild, String about, Consumer<Rules> change) {
    private static final Consumer<Rules> FROZEN_AND_PROVEN = rules -> {
        rules.failovers = 1;
        rules.stop = Stop.FROZEN;
        rules.proof = 1;
    };

    /** All of them: safe ones, then unsafe ones. */
    public static final List<Variant> ALL = List.of(
            safe("GuardReturn", true, "A failover and its return, as implemented.", rules -> {}),
            safe("GuardStop", true, "A failover, and masters that stand still and count that.", rules -> {
                rules.failovers = 1;
                rules.stop = Stop.COUNTED;
            }),
            safe(
                    "GuardFrozen",
                    false,
                    "A failover, and masters that stand still and do not know it, with proofs.",
                    FROZEN_AND_PROVEN),
            safe("GuardDelay", false, "A failover, with requests that are on their way for a tick.", rules -> {
                rules.failovers = 1;
                rules.delay = 1;
            }),
            safe("GuardThreeClients", false, "A failover, with three clients.", rules -> {
                rules.failovers = 1;
                rules.clients = 3;
            }),
            safe("GuardLonger", false, "A failover and its return, with a longer lease and a longer lag.", rules -> {
                rules.lease = 4;
                rules.lag = 3;
                rules.margin = 3;
                rules.shut = 7;
            }),
            unsafe(
                    "GuardUnsafeOldRule",
                    "Only put backs ask, and by the length of the lease.",
                    rules -> rules.asked = Asked.PUT_BACKS_BY_LENGTH),
            unsafe(
                    "GuardUnsafeRenewals",
                    "Only put backs ask: a renewal that succeeds is believed.",
                    rules -> rules.asked = Asked.PUT_BACKS),
            unsafe(
                    "GuardUnsafeAttemptsOnly",
                    "Nobody asks: a shut server refuses attempts, and that is all.",
                    rules -> rules.asked = Asked.NOBODY),
            unsafe("GuardUnsafeNoMargin", "Confirmed until after the handshake is enough.", rules -> rules.margin = 0),
            unsafe("GuardUnsafeSmallMargin", "The margin is a tick shorter than the lag.", rules -> rules.margin = 1),
            unsafe("GuardUnsafeShutTime", "Shut for the longest lease, without the lag.", rules -> rules.shut = 3),
            unsafe(
                    "GuardUnsafeShutIfForgotten",
                    "A server that has the record is not shut.",
                    rules -> rules.shutWithRecord = false),
            unsafe(
                    "GuardUnsafeHandOver",
                    "A release on a server that is shut serves whoever waits there.",
                    rules -> rules.shutServes = true),
            unsafe(
                    "GuardUnsafeKeptSessions",
                    "Who was connected to a server before it was demoted goes on.",
                    rules -> rules.cutWhenDemoted = false),
            unsafe(
                    "GuardUnsafeCountedLate",
                    "A master executes what is waiting before it counts its replicas.",
                    rules -> {
                        rules.failovers = 1;
                        rules.stop = Stop.COUNTED_LATE;
                    }),
            unsafe("GuardUnsafeFrozen", "A master counts from when it goes on.", rules -> {
                rules.failovers = 1;
                rules.stop = Stop.FROZEN;
            }),
            unsafe("GuardUnsafeOldProof", "A proof may be as old as the lag.", rules -> {
                FROZEN_AND_PROVEN.accept(rules);
                rules.proof = 2;
            }),
            new Variant(
                    "GuardUnsafeMessages",
                    false,
                    false,
                    "Attempts and renewals need a proof, messages do not.",
                    FROZEN_AND_PROVEN.andThen(rules -> rules.proofOfMessages = false)));

    private static Variant safe(String name, boolean inBuild, String about, Consumer<Rules> change) {
        return new Variant(name, true, inBuild, about, change);
    }

    private static Variant unsafe(String name, String about, Consumer<Rules> change) {
        return new Variant(name, false, true, about, change);
    }

    /** Visits every state, or those up to the first broken one. */
    public Search.Result check() {
        Rules rules = new Rules();
        change.accept(rules);
        return Search.of(rules);
    }

    @Override
    public String toString() {
        return name;
    }
}
