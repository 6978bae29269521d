package io.holdfast.testing.redis;

import io.holdfast.testing.process.Folders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A server's append-only file as it was at one moment: {@link RedisServer#restartFrom} brings it back.
 *
 * <p>Redis 7 keeps a folder of files, older releases a single file; whatever is there is kept.
 */
public final class AofCopy {
    private static final List<String> PLACES = List.of("appendonlydir", "appendonly.aof");

    private final Path folder;

    private AofCopy(Path folder) {
        this.folder = folder;
    }

    static AofCopy of(Path data) {
        AofCopy aof = new AofCopy(data.resolve("copy-" + System.nanoTime()));
        Folders.create(aof.folder);
        copy(data, aof.folder);
        return aof;
    }

    void restoreTo(Path data) {
        deleteData(data);
        copy(folder, data);
    }

    /** All that a server would load; its configuration and the identity of a cluster node stay. */
    static void deleteData(Path data) {
        PLACES.forEach(place -> Folders.delete(data.resolve(place)));
        Folders.delete(data.resolve("dump.rdb"));
    }

    private static void copy(Path from, Path to) {
        for (String place : PLACES) {
            if (Files.exists(from.resolve(place))) {
                Folders.copy(from.resolve(place), to.resolve(place));
            }
        }
    }
}
