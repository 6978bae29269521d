package io.holdfast.cli.demo;

import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.cli.embedded.EmbeddedRedis;
import io.holdfast.cli.process.Ending;
import io.holdfast.cli.process.Shell;
import io.holdfast.examples.shop.Shop;
import io.holdfast.redis.RedisLocks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * All that the acts are played with: a folder, a Redis, a database, the workers. All of it is gone after
 * {@link #close()}, which also runs when this process is told to end. If it is killed instead, each part notices that
 * by a pipe that the system closes.
 */
final class Stage implements AutoCloseable {
    private static final String CLEANER = """
            echo ready
            cat > /dev/null
            for attempt in 1 2 3 4 5; do rm -rf "$1" && break; sleep 1; done
            """;

    private final Scale scale;
    private final BlockingQueue<Said> said = new LinkedBlockingQueue<>();
    private final List<WorkerProcess> workers = new ArrayList<>();
    private final List<AutoCloseable> parts = new ArrayList<>();
    private final Thread hook = new Thread(this::close, "holdfast-demo-end");
    private final Path folder;
    private @Nullable LockClient locks;
    private @Nullable Shop shop;
    private boolean closed;

    private Stage(Scale scale) {
        this.scale = scale;
        try {
            folder = Files.createTempDirectory("holdfast-demo-");
        } catch (IOException e) {
            throw new UncheckedIOException("no temporary folder could be made", e);
        }
        parts.add(new Shell(CLEANER, folder.toString()));
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Builds it; the workers have been started, and say when they are ready. */
    static Stage build(Scale scale) {
        Stage stage = new Stage(scale);
        try {
            stage.setUp();
            return stage;
        } catch (SQLException e) {
            stage.close();
            throw new IllegalStateException("the database of the demo could not be started", e);
        } catch (RuntimeException e) {
            stage.close();
            throw e;
        }
    }

    private synchronized void setUp() throws SQLException {
        EmbeddedRedis redis = add(EmbeddedRedis.start(folder));
        DemoDatabase database = add(DemoDatabase.start());
        // Before the workers, which look in when they start.
        shop = new Shop(database.local(), nobodyPays -> {});
        shop.build();
        shop.open(0);
        for (int i = 1; i <= scale.workers(); i++) {
            WorkerSettings settings =
                    new WorkerSettings("worker-" + i, redis.url(), database.url(), database.password(), scale.lease());
            workers.add(WorkerProcess.start(settings, folder, said::add));
        }
        locks = add(RedisLocks.connect(redis.url()));
    }

    private <T extends AutoCloseable> T add(T part) {
        parts.add(part);
        return part;
    }

    Scale scale() {
        return scale;
    }

    /** In the order of their names. Those that were killed are still among them. */
    List<WorkerProcess> workers() {
        return workers;
    }

    Shop shop() {
        if (shop == null) {
            throw new IllegalStateException("there is no shop yet");
        }
        return shop;
    }

    /** What a worker said next, or null if none says anything for a while. */
    @Nullable
    Said listen(long millis) throws InterruptedException {
        return said.poll(millis, TimeUnit.MILLISECONDS);
    }

    /** How many processes wait for the lock, as Redis knows it. */
    int waiters() {
        if (locks == null) {
            return 0;
        }
        return locks.inspector()
                .find(LockKind.LOCK, Worker.LOCK)
                .map(status -> (int) status.waiters().stream()
                        .map(waiter -> waiter.client().id())
                        .distinct()
                        .count())
                .orElse(0);
    }

    /** Ends everything that was started, last first, whatever happens on the way. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        workers.forEach(WorkerProcess::kill);
        for (int i = parts.size() - 1; i >= 0; i--) {
            try {
                parts.get(i).close();
            } catch (Exception e) {
                System.getLogger(Stage.class.getName())
                        .log(System.Logger.Level.WARNING, "a part of the demo is left", e);
            }
        }
        if (Thread.currentThread() != hook) {
            Ending.forget(hook);
        }
    }
}
