package io.holdfast.comparison;

import io.holdfast.testing.process.Folders;
import io.holdfast.testing.redis.RedisVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/** The libraries of a run, with their servers; each is made when it is first wanted. */
final class Contestants implements AutoCloseable {
    private final Path folder = Files.createTempDirectory("holdfast-bench");
    private final Map<Library, Contestant> all = new EnumMap<>(Library.class);

    private final RedisVersion redis;
    private final Databases database;
    private final Ground ground;

    Contestants(RedisVersion redis, Databases database, Ground ground) throws IOException {
        this.ground = ground;
        this.redis = redis;
        this.database = database;
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "bench-shutdown"));
    }

    synchronized Contestant of(Library library) {
        return all.computeIfAbsent(library, made -> {
            return new Contestant(made, store(made), ground, folder);
        });
    }

    private Store store(Library library) {
        if (library.usesDatabase()) {
            return database.start();
        }
        return library.usesZooKeeper() ? new ZooKeeperStore() : new RedisStore(redis, ground);
    }

    /** Also called when the run is interrupted. One that does not close does not keep the others open. */
    @Override
    public synchronized void close() {
        RuntimeException trouble = null;
        for (Contestant contestant : all.values()) {
            try {
                contestant.close();
            } catch (RuntimeException failure) {
                trouble = failure;
            }
        }
        all.clear();
        try {
            Folders.delete(folder);
        } catch (UncheckedIOException failure) {
            trouble = failure;
        }
        if (trouble != null) {
            throw trouble;
        }
    }
}
