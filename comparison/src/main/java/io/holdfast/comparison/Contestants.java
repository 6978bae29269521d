package io.holdfast.comparison;

import io.holdfast.testing.redis.RedisVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;

/** Those who take part in a run, with their servers; each is made when it is first wanted. */
final class Contestants implements AutoCloseable {
    private final Path folder = Files.createTempDirectory("holdfast-bench");
    private final Map<Library, Contestant> all = new EnumMap<>(Library.class);

    private final RedisVersion redis;

    Contestants(RedisVersion redis) throws IOException {
        this.redis = redis;
    }

    Contestant of(Library library) {
        return all.computeIfAbsent(library, made -> {
            Store store = made.usesZooKeeper() ? new ZooKeeperStore() : new RedisStore(redis);
            return new Contestant(made, store, folder);
        });
    }

    @Override
    public void close() {
        all.values().forEach(Contestant::close);
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(Contestants::delete);
        } catch (IOException trouble) {
            throw new UncheckedIOException(trouble);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException trouble) {
            throw new UncheckedIOException(trouble);
        }
    }
}
