package io.holdfast.testing.redis;

import io.holdfast.testing.process.Folders;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The file that a server appends its commands to: they stand there as they would in a request. */
final class AofFile {
    private AofFile() {}

    static void truncate(Path data, int commands) {
        Path file = find(data);
        try {
            List<Long> ends = ends(file);
            long size = commands >= ends.size() ? 0 : ends.get(ends.size() - 1 - commands);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(size);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Could not truncate " + file, e);
        }
    }

    private static Path find(Path data) {
        Path single = data.resolve("appendonly.aof");
        if (Files.exists(single)) {
            return single;
        }
        return Folders.list(data.resolve("appendonlydir")).stream()
                .filter(file -> file.toString().endsWith(".incr.aof"))
                .max(Comparator.comparing(Path::toString))
                .orElseThrow(() -> new IllegalStateException("No append-only file in " + data));
    }

    private static List<Long> ends(Path file) throws IOException {
        List<Long> ends = new ArrayList<>();
        long end = 0;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            RespReader reader = new RespReader(in);
            for (RespFrame frame = reader.read(); frame != null; frame = reader.read()) {
                end += frame.bytes().length;
                ends.add(end);
            }
        }
        return ends;
    }
}
