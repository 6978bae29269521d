package io.holdfast.testing.databases;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A disk of its own for one server, in memory and small, so that it can be filled without harm to anybody. Only the
 * server sees it: it is mounted in a namespace, which root may do, and others where the system has user namespaces, as
 * Debian has.
 */
final class SmallDisk {
    /** Mounts it, brings the files of the server there, runs the rest, and leaves nothing behind. */
    private static final String SCRIPT = """
            trap '' INT TERM HUP
            folder=$1
            options=$2
            shift 2
            mkdir "$folder/small" && mount -t tmpfs -o "$options" tmpfs "$folder/small" || exit 1
            cp -a "$folder/data" "$folder/small/data" || exit 1
            "$@"
            umount "$folder/small"
            rm -rf "$folder"
            """;

    private static final int PIECE = 65_536;

    private final Path folder;
    private final int megabytes;

    /** @param folder of the server, which has its files in {@code data} */
    SmallDisk(Path folder, int megabytes) {
        this.folder = folder;
        this.megabytes = megabytes;
    }

    /** Where the server finds its files. */
    Path data() {
        return folder.resolve("small").resolve("data");
    }

    /** A command that sees the disk. */
    List<String> around(List<String> command) {
        try {
            int user = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            int owner = (int) Files.getAttribute(folder.resolve("data"), "unix:uid");
            String size = "size=" + megabytes + "m,mode=755";
            List<String> words = new ArrayList<>(List.of("unshare"));
            words.addAll(user == 0 ? List.of("-m") : List.of("-U", "-r", "-m"));
            words.addAll(List.of("sh", "-c", SCRIPT, "sh", folder.toString()));
            words.add(user == 0 ? size + ",uid=" + owner : size);
            if (user != 0) { // in there it is root, and a server may refuse that
                words.addAll(List.of("unshare", "-U", "--map-user=" + user));
            }
            words.addAll(command);
            return words;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path ballast(long pid) {
        return Path.of("/proc/" + pid + "/root" + folder).resolve("small/ballast");
    }

    /** Leaves no room. */
    void fill(long pid) {
        try (OutputStream out = Files.newOutputStream(ballast(pid))) {
            while (true) {
                out.write(new byte[PIECE]);
            }
        } catch (IOException full) {
            if (!String.valueOf(full.getMessage()).contains("No space left")) {
                throw new UncheckedIOException(full);
            }
        }
    }

    /** There is room again. */
    void free(long pid) {
        try {
            Files.delete(ballast(pid));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
