package io.holdfast.redis;

import io.holdfast.Finding;
import io.holdfast.Safety;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.TimeSource;
import java.util.List;
import java.util.Objects;

/**
 * One of several servers that vote, each on its own and without replicas. For code that builds a quorum itself, as
 * {@code QuorumLocks} of holdfast-quorum does.
 *
 * <p><b>Guarantees.</b> It is guarded as with {@link Safety#STRICT}, and also against being emptied: a server without
 * its mark grants nothing until every lease has ended, unless {@link RedisLocksBuilder#startEmpty()} declares that
 * there is none. The server may be down when the member is started.
 *
 * <p><b>Threads.</b> For one thread.
 *
 * @since 0.1
 */
public final class RedisMember {
    private final RedisLocksBuilder builder;
    private final int members;

    private RedisMember(RedisLocksBuilder builder, int members) {
        this.builder = builder;
        this.members = members;
    }

    /**
     * Makes a member of the server that a builder names. Do not use the builder for anything else afterwards.
     *
     * @param server the server and how to connect to it
     * @param members how many servers vote
     * @return the member
     */
    public static RedisMember of(RedisLocksBuilder server, int members) {
        return new RedisMember(Objects.requireNonNull(server, "server"), members);
    }

    /**
     * Makes the backend.
     *
     * @return a backend that was not started
     * @throws IllegalArgumentException if the URL is not that of one server
     */
    public LockBackend newBackend() {
        return newBackend(TimeSource.system());
    }

    /**
     * Makes the backend with clocks that the caller provides.
     *
     * @param clocks those of the engine on the quorum
     * @return a backend that was not started
     * @throws IllegalArgumentException if the URL is not that of one server
     */
    public LockBackend newBackend(TimeSource clocks) {
        builder.options.asMember(members);
        return builder.newBackend(clocks);
    }

    /**
     * Examines the server, as {@link RedisLocksBuilder#examine()} does, for its place among those that vote.
     *
     * @return what was found
     * @throws IllegalArgumentException if the URL or an option makes no sense
     */
    public List<Finding> examine() {
        return builder.options.examine(members);
    }
}
