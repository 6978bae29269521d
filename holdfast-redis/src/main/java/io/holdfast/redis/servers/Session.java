package io.holdfast.redis.servers;

import io.holdfast.redis.protocol.Bytes;
import io.holdfast.redis.protocol.ClockSkew;
import io.holdfast.redis.protocol.Scripts;
import io.holdfast.redis.protocol.Scripts.Name;
import io.holdfast.spi.ServerClock;

/**
 * What this client knows of a server since a handshake. Ends with the server's incarnation: what was learned from one
 * says nothing about the next.
 *
 * @param incarnation the process in its role
 * @param scripts their texts and digests for that incarnation
 * @param clock its clock
 * @param notice how scripts notify a waiter
 * @param channels the prefix of a client's channel
 * @param clientId this client
 * @param tag its own hash tag in a cluster, or empty
 * @param homeless whether it is a cluster's server without a slot, which cannot be guarded
 * @param gate until when it grants nothing new
 * @param tenure the keys it answers for
 * @param following when its replicas last followed it
 * @param skew the difference of its clock to ours
 * @param replicated whether another server may take over from it, or it took over
 * @param metNanos when this client first saw it write, which is not before it got its role
 */
public record Session(
        String incarnation,
        Scripts scripts,
        ServerClock clock,
        String notice,
        String channels,
        String clientId,
        String tag,
        boolean homeless,
        Gate gate,
        Tenure tenure,
        Following following,
        ClockSkew skew,
        boolean replicated,
        long metNanos) {

    /** Whether a subscription of the one receives the messages of the other. */
    boolean isHeardLike(Session other) {
        return incarnation.equals(other.incarnation)
                && channel().equals(other.channel())
                && notice.equals(other.notice);
    }

    /** Where this client listens. */
    public String channel() {
        return channelOf(clientId);
    }

    /** Where a client listens. */
    public String channelOf(String client) {
        return channels + client;
    }

    boolean isDeaf() {
        return notice.equals("-");
    }

    public boolean isSharded() {
        return notice.startsWith("s");
    }

    /** How long from now the server grants nothing new for a key. */
    public long shutNanos(String key, long nowNanos) {
        return Math.max(gate.shutNanos(nowNanos), tenure.shutNanos(key, nowNanos));
    }

    /** Whether the server grants nothing new for a key. */
    public boolean isShut(String key, long nowNanos) {
        return homeless || shutNanos(key, nowNanos) > 0;
    }

    /** Until when, on the server's clock, claims may be restored, which is only while it is shut; zero if it is not. */
    public long shutUntilMicros(String key, long nowNanos) {
        return isShut(key, nowNanos) ? clock.atLeastMicros(nowNanos + shutNanos(key, nowNanos)) : 0;
    }

    /** When this client first met it with the key's slot and its role. */
    public long metNanos(String key) {
        return tenure.metNanos(key, metNanos);
    }

    /** The session for a call that another server redirected here while the slot moves: that one answers for it. */
    Session sentBy(Session other) {
        return new Session(
                incarnation,
                scripts,
                clock,
                notice,
                channels,
                clientId,
                tag,
                homeless,
                gate,
                other.tenure,
                following,
                skew,
                replicated,
                metNanos);
    }

    /** How many words stand before the arguments of a call. */
    public static final int WORDS = 4;

    /** A call of a script on one key, with room for its arguments, which begin at {@link #WORDS}. */
    public byte[][] call(Name script, byte[] key, int arguments) {
        byte[][] command = new byte[WORDS + arguments][];
        command[0] = EVALSHA;
        command[1] = scripts.digest(script);
        command[2] = ONE;
        command[3] = key;
        return command;
    }

    /** A call of a script on one key. */
    public byte[][] call(Name script, String key, byte[]... arguments) {
        byte[][] command = call(script, Bytes.of(key), arguments.length);
        System.arraycopy(arguments, 0, command, WORDS, arguments.length);
        return command;
    }

    public static final byte[] EVALSHA = Bytes.of("EVALSHA");
    private static final byte[] ONE = Bytes.of("1");
}
