package io.holdfast.quorum;

import io.holdfast.LockKind;
import io.holdfast.LockStoreException;
import io.holdfast.spi.Resource;
import io.holdfast.spi.TimeSource;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The nodes of the quorum, and how many of them have to agree. */
final class Members implements Iterable<Member> {
    private final List<Member> all;
    private final TimeSource time;

    Members(List<Member> all, TimeSource time) {
        this.time = time;
        this.all = List.copyOf(all);
    }

    /** The clocks of the client. */
    TimeSource time() {
        return time;
    }

    int size() {
        return all.size();
    }

    Member get(int index) {
        return all.get(index);
    }

    List<Member> list() {
        return all;
    }

    @Override
    public Iterator<Member> iterator() {
        return all.iterator();
    }

    int majority() {
        return all.size() / 2 + 1;
    }

    /**
     * How many members must grant. Any two majorities share a member, which is enough where two claims exclude each
     * other. A semaphore of k must not admit k + 1: each member admits k, so all together they admit n · k / needed,
     * which must be less than k + 1.
     */
    int needed(Resource resource) {
        long capacity = resource.kind() == LockKind.SEMAPHORE ? resource.capacity() : 1;
        return (int) (all.size() * capacity / (capacity + 1)) + 1;
    }

    /**
     * The member that keeps the line and settles split votes: the first that can. Clients that see the same members up
     * choose the same leader.
     */
    Member leader(long nowNanos) {
        for (Member member : all) {
            if (member.isFit(nowNanos)) {
                return member;
            }
        }
        for (Member member : all) {
            if (member.isUp()) {
                return member;
            }
        }
        return all.get(0);
    }

    /** An earlier member that is the same store. */
    Optional<Member> twinOf(Member member) {
        Optional<String> id = member.storeId();
        return all.stream()
                .filter(other -> other.index() < member.index() && id.isPresent() && id.equals(other.storeId()))
                .findFirst();
    }

    /** Refuses two members that are one store. */
    void checkDistinct() {
        for (Member member : all) {
            twinOf(member).ifPresent(twin -> {
                throw new IllegalArgumentException(member + " is the same server as " + twin + " (run_id "
                        + member.storeId().orElse("") + "), so its vote would count twice; name each server once");
            });
        }
    }

    /** Whether a member that is down need not be asked, because enough others are up. */
    boolean canSpare(Member member, int needed) {
        return !member.isUp() && all.stream().filter(Member::isUp).count() >= needed;
    }

    /** The reason without the name of the lock, which the message has already. */
    private static String reason(@Nullable RuntimeException trouble) {
        if (trouble == null) {
            return "no answer";
        }
        String said = String.valueOf(trouble.getMessage());
        int quoted = trouble instanceof LockStoreException store ? said.indexOf("'" + store.lockName() + "': ") : -1;
        return quoted < 0 ? said : said.substring(said.indexOf("': ", quoted) + 3);
    }

    /** Whether at least this many members answered when they were last asked. */
    boolean mayReach(int needed) {
        return all.stream().filter(Member::isUp).count() >= needed;
    }

    /** The exception for too few answers, about one resource or the whole store. */
    LockStoreException outage(
            @Nullable Resource resource,
            int needed,
            Collection<Integer> silent,
            Function<Integer, @Nullable RuntimeException> why) {
        StringJoiner reasons = new StringJoiner("; ");
        RuntimeException first = null;
        for (int member : silent) {
            RuntimeException trouble = why.apply(member);
            first = first == null ? trouble : first;
            reasons.add(all.get(member) + ": " + reason(trouble));
        }
        String message = "only " + (all.size() - silent.size()) + " of " + all.size() + " nodes could be used"
                + (resource == null ? "" : " for '" + resource.name() + "'") + ", and " + needed
                + " are needed. The others: " + reasons;
        return resource == null
                ? new LockStoreException(message, first)
                : new LockStoreException(resource.kind(), resource.name(), message, first);
    }
}
