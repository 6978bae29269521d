package io.holdfast.torture;

import io.holdfast.Acquirable;
import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.Safety;
import io.holdfast.redis.RedisLocks;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A client in a process of its own that asks for one thing so often that it stands in the line with all it has, keeps
 * what it is given, says {@code line} and waits to be killed. Ends by itself when its standard input ends.
 */
public final class Crowd {
    private Crowd() {}

    /**
     * Runs until killed.
     *
     * @param arguments URL, safety, longest lease, subject, size
     */
    public static void main(String[] arguments) throws IOException {
        Subject subject = Subject.valueOf(arguments[3]);
        int size = Integer.parseInt(arguments[4]);
        Duration longestLease = Duration.parse(arguments[2]);
        LockClient client = RedisLocks.builder(arguments[0])
                .prefix(Site.PREFIX)
                .safety(Safety.valueOf(arguments[1]))
                .longestLease(longestLease)
                .connect();
        boolean semaphore = subject.kind() == Subject.Kind.SEMAPHORE;
        LockOptions options = subject.options(longestLease).fairness(Fairness.FIFO);
        Acquirable<Lease> wanted = semaphore
                ? client.semaphore(subject.name(), subject.capacity(), options).taking(1)
                : client.lock(subject.name(), options);
        List<CompletableFuture<Lease>> crowd = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            crowd.add(wanted.acquireAsync());
        }
        LockKind kind = semaphore ? LockKind.SEMAPHORE : LockKind.LOCK;
        while (client.inspector()
                        .find(kind, subject.name())
                        .map(status -> status.waiters().size())
                        .orElse(0)
                < size * 9 / 10) {
            Threads.sleep(200);
        }
        System.out.println("line " + crowd.size());
        while (System.in.read() >= 0) {
            Threads.sleep(1);
        }
        Runtime.getRuntime().halt(1);
    }
}
