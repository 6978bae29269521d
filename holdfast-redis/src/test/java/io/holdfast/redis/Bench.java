package io.holdfast.redis;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.redis.protocol.Keys;
import io.holdfast.spi.Resource;
import io.holdfast.testing.process.Opened;
import io.holdfast.testing.process.Patience;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Closes what a test has opened, in reverse order; knows how to wait, and how keys and commands look. */
final class Bench implements AfterEachCallback {
    static final Duration PATIENCE = Duration.ofSeconds(15);

    /** The longest wait after a lost message: a poll, give or take a fifth, and some time for what else is to do. */
    static final Duration POLL_BOUND = Duration.ofSeconds(2);

    /** Well below a poll: a waiter that is this fast was notified. */
    static final Duration AT_ONCE = Duration.ofMillis(600);

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final Opened opened = new Opened();
    private final String prefix = "fault-" + COUNT.incrementAndGet();

    /** The prefix of all keys of this test. */
    String prefix() {
        return prefix;
    }

    <T extends AutoCloseable> T open(T resource) {
        return opened.open(resource);
    }

    RedisLocksBuilder builder(String url) {
        return RedisLocks.builder(url).prefix(prefix);
    }

    LockClient client(String url) {
        return client(builder(url));
    }

    LockClient client(RedisLocksBuilder builder) {
        return open(builder.connect());
    }

    RawLocks raw(String url) {
        return raw(builder(url));
    }

    RawLocks raw(RedisLocksBuilder builder) {
        return open(new RawLocks(builder.newBackend()));
    }

    static Resource lock(String name) {
        return new Resource(LockKind.LOCK, name, 1);
    }

    String key(String name) {
        return Keys.key(prefix, lock(name));
    }

    static LockOptions lease(long millis) {
        return LockOptions.defaults().lease(Duration.ofMillis(millis));
    }

    /** The holder in the record, or null. */
    String hold(RedisServer server, String name) {
        return (String) server.command("HGET", key(name), "hold");
    }

    /** The last token of the record. */
    long topToken(RedisServer server, String name) {
        return Long.parseLong(hold(server, name).split(" ", -1)[0]);
    }

    /** Waits until the line has this many places, all of claims that listen for their turn. */
    void awaitListening(RedisServer server, String name, int places) {
        soon(places + " waiting for " + name)
                .until(() -> ((List<?>) server.command("HVALS", key(name)))
                                .stream()
                                        .filter(value -> value.toString().matches("\\S+:.* [psu]\\S* \\S+"))
                                        .count()
                        == places);
    }

    /** Matches an attempt for a lock on the wire. */
    Predicate<List<String>> attempts(String name) {
        return calls(name, 10).or(calls(name, 12)); // with a floor for its token, or without
    }

    Predicate<List<String>> releases(String name) {
        return calls(name, 6);
    }

    Predicate<List<String>> renewals(String name) {
        return calls(name, 8);
    }

    private Predicate<List<String>> calls(String name, int words) {
        String key = key(name);
        return request -> request.size() == words
                && request.get(0).equals("EVALSHA")
                && request.get(3).equals(key);
    }

    static ConditionFactory soon(String what) {
        return new Patience(PATIENCE).soon(what);
    }

    /** Waits for a point in time. */
    static void passes(long untilNanos) {
        new Patience(PATIENCE).passes(untilNanos);
    }

    /** Fails as soon as a condition that must hold does not. */
    static void always(String what, Duration time, Callable<Boolean> holds) {
        new Patience(PATIENCE).always(what, time, holds);
    }

    /** Waits until a lease that is valid all the time has been renewed, which is seen in the time that is left. */
    static void awaitRenewal(Lease lease) {
        new Patience(PATIENCE).grows("a renewal", lease::remaining, lease::isValid);
    }

    static <T> T get(CompletionStage<T> stage) {
        return get(stage, PATIENCE);
    }

    /** The result, which must be there within the time. */
    static <T> T get(CompletionStage<T> stage, Duration within) {
        return new Patience(within).get(stage);
    }

    /** The failure, which must be there soon. */
    static Throwable failure(CompletableFuture<?> future) {
        soon("a failure").until(future::isDone);
        return future.handle((result, failure) -> failure).join();
    }

    /** Asks until there is a lease; a server that comes up may not answer at first. */
    static Lease take(LockClient client, String name) {
        return soon("lease of " + name)
                .ignoreExceptions()
                .until(() -> client.lock(name).tryAcquire(), Optional::isPresent)
                .orElseThrow();
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        opened.close();
    }
}
