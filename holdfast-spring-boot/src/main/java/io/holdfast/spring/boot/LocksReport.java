package io.holdfast.spring.boot;

import io.holdfast.Deadlock;
import io.holdfast.LockKind;
import io.holdfast.LockStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What {@code /actuator/locks} answers.
 *
 * @param locks the locks
 * @param more whether there are more of them than were asked for
 * @param deadlocks who waits for each other in a circle, if that was asked for
 * @since 0.1
 */
public record LocksReport(
        List<Lock> locks, boolean more, @Nullable List<Circle> deadlocks) {

    /**
     * A deadlock.
     *
     * @param certain whether only its members can end it
     * @param endsBy when it ends by itself, if it does
     * @param members who is in it
     */
    public record Circle(boolean certain, @Nullable Instant endsBy, List<Member> members) {}

    /**
     * One who is in a deadlock.
     *
     * @param client where it runs
     * @param owner who it is, perhaps masked
     * @param kind what it waits for
     * @param name which one, perhaps masked
     * @param waited for how long
     * @param holds the names of what it holds, perhaps masked
     */
    public record Member(String client, String owner, String kind, String name, Duration waited, List<String> holds) {}

    /**
     * One lock.
     *
     * @param kind lock, read-write, semaphore, election or latch
     * @param name the name, perhaps masked
     * @param holders who has it
     * @param waiters who wants it, in the store's order
     */
    public record Lock(String kind, String name, List<Holder> holders, List<Waiter> waiters) {}

    /**
     * Who has it.
     *
     * @param client the client
     * @param claim the number of the claim
     * @param label what it says of itself, perhaps masked
     * @param token the fencing token
     * @param since since when, where the store knows it
     * @param left how long the lease lasts if nobody renews it
     * @param weight how many permits
     */
    public record Holder(
            Client client,
            long claim,
            String label,
            long token,
            @Nullable Instant since,
            Duration left,
            int weight) {}

    /**
     * Who wants it.
     *
     * @param client the client
     * @param claim the number of the claim
     * @param label what it says of itself, perhaps masked
     * @param threads how many it stands for
     */
    public record Waiter(Client client, long claim, String label, int threads) {}

    /**
     * A client.
     *
     * @param id its identity
     * @param name a name for people
     * @param host where it runs
     * @param pid its process
     * @param here whether it is one of this process
     */
    public record Client(String id, String name, String host, long pid, boolean here) {}

    /** Makes the report of what somebody may see. */
    record Shown(Set<String> ownIds, boolean values) {
        private static final String MASK = "******";

        Circle circle(Deadlock deadlock) {
            return new Circle(
                    deadlock.certain(),
                    deadlock.endsBy().orElse(null),
                    deadlock.members().stream().map(this::member).toList());
        }

        private Member member(Deadlock.Member member) {
            return new Member(
                    member.client(),
                    values ? member.owner() : MASK,
                    kind(member.kind()),
                    name(member.name()),
                    member.waited(),
                    member.holds().stream().map(hold -> name(hold.name())).toList());
        }

        private static String kind(LockKind kind) {
            return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        private String name(String name) {
            return values ? name : masked(name);
        }

        Lock lock(LockStatus status) {
            return new Lock(
                    kind(status.kind()),
                    name(status.name()),
                    status.holders().stream().map(this::holder).toList(),
                    status.waiters().stream().map(this::waiter).toList());
        }

        /** What stands before the first colon says what it is; what stands behind it says whose. */
        private static String masked(String name) {
            int colon = name.indexOf(':');
            return colon < 0 ? MASK : name.substring(0, colon + 1) + MASK;
        }

        private Holder holder(LockStatus.Holder holder) {
            return new Holder(
                    client(holder.client()),
                    holder.claim(),
                    label(holder),
                    holder.token(),
                    holder.since().orElse(null),
                    holder.left(),
                    holder.weight());
        }

        private Waiter waiter(LockStatus.Waiter waiter) {
            return new Waiter(client(waiter.client()), waiter.claim(), label(waiter), waiter.threads());
        }

        private String label(LockStatus.Claimant claimant) {
            return values ? claimant.label() : MASK;
        }

        private Client client(LockStatus.Client client) {
            return new Client(client.id(), client.name(), client.host(), client.pid(), ownIds.contains(client.id()));
        }
    }
}
