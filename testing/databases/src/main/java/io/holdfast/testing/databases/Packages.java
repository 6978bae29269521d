package io.holdfast.testing.databases;

import io.holdfast.testing.process.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Programs of a Linux distribution with all libraries that they need, in a folder of their own. Nothing is installed,
 * and no right of root is needed. Downloaded once per machine; whoever wants newer ones deletes the folder.
 *
 * <p>apt does the work, with lists and archives of its own. It checks the signature of the distribution's index by the
 * distribution's keys, and the SHA-256 of each package by that index, so no mirror can slip in something else.
 */
final class Packages {
    static final Path DEBIAN_KEYS = Path.of("/usr/share/keyrings/debian-archive-keyring.gpg");
    private static final Pattern DEBIAN_MIRROR =
            Pattern.compile("(?m)^(?:deb|URIs:)\\s.*?(\\w+://\\S+/debian)/?(?:\\s|$)");
    private static final Pattern LOADER = Pattern.compile("ld-linux.*\\.so\\.\\d+");

    private final Path root;

    private Packages(Path root) {
        this.root = root;
    }

    /**
     * MySQL and PgBouncer of Debian's unstable branch, the only one that has MySQL, from the mirror of this machine.
     * The others say where Ubuntu is and which keys it has.
     */
    static Packages debian() {
        return new Packages(Programs.once(
                "debian-unstable",
                folder -> unpack(folder, source(), "mysql-server-core", "pgbouncer", "debootstrap", "ubuntu-keyring")));
    }

    /** The pg_dump of Debian's unstable branch, which reads every server that is older. */
    static List<String> postgresClient() {
        Packages client = new Packages(Programs.once(
                "debian-unstable-postgresql-client", folder -> unpack(folder, source(), "postgresql-client")));
        try (Stream<Path> versions = Files.list(client.path("/usr/lib/postgresql"))) {
            String version = versions.map(each -> each.getFileName().toString())
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
            return client.command("/usr/lib/postgresql/" + version + "/bin/pg_dump");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The Valkey of Debian's unstable branch. */
    static Packages valkey() {
        return new Packages(
                Programs.once("debian-unstable-valkey", folder -> unpack(folder, source(), "valkey-server")));
    }

    private static String source() throws IOException {
        if (!Files.exists(DEBIAN_KEYS)) {
            throw new IOException(
                    "no " + DEBIAN_KEYS + ": MySQL, PgBouncer, pg_dump and Valkey are taken from Debian's packages,"
                            + " which needs apt and the package debian-archive-keyring");
        }
        return "deb [signed-by=" + DEBIAN_KEYS + "] " + debianMirror() + " unstable main";
    }

    /** A package of the oldest Ubuntu that has what we promise to work with, as it was released, without updates. */
    static Packages ubuntu(String name) {
        Path debian = debian().root;
        return new Packages(Programs.once("ubuntu-jammy-" + name, folder -> {
            Path keys = debian.resolve("usr/share/keyrings/ubuntu-archive-keyring.gpg");
            unpack(folder, "deb [signed-by=" + keys + "] " + ubuntuMirror(debian) + " jammy main universe", name);
        }));
    }

    private static String debianMirror() throws IOException {
        String own = System.getProperty("holdfast.debian.mirror", "");
        if (!own.isBlank()) {
            return own;
        }
        List<Path> files = new ArrayList<>(List.of(Path.of("/etc/apt/sources.list")));
        Path more = Path.of("/etc/apt/sources.list.d");
        if (Files.isDirectory(more)) {
            try (Stream<Path> each = Files.list(more)) {
                each.filter(file -> file.toString().matches(".*\\.(list|sources)"))
                        .sorted()
                        .forEach(files::add);
            }
        }
        for (Path file : files) {
            Matcher matcher = DEBIAN_MIRROR.matcher(Files.exists(file) ? Files.readString(file) : "");
            if (matcher.find()) {
                return matcher.group(1);
            }
        }
        throw new IOException("no mirror of Debian in /etc/apt: name one with -Dholdfast.debian.mirror=<url>");
    }

    private static String ubuntuMirror(Path debian) throws IOException {
        String own = System.getProperty("holdfast.ubuntu.mirror", "");
        if (!own.isBlank()) {
            return own;
        }
        boolean intel = System.getProperty("os.arch", "").matches("amd64|x86_64");
        Matcher matcher = Pattern.compile("default_mirror (\\S+/ubuntu" + (intel ? "" : "-ports") + ")\\s")
                .matcher(Files.readString(debian.resolve("usr/share/debootstrap/scripts/gutsy")));
        if (!matcher.find()) {
            throw new IOException("no mirror of Ubuntu in debootstrap: name one with -Dholdfast.ubuntu.mirror=<url>");
        }
        return matcher.group(1);
    }

    static void unpack(Path folder, String source, String... names) throws IOException {
        Path apt = Files.createDirectories(folder.resolve("apt"));
        Files.createDirectories(apt.resolve("lists/partial"));
        Files.createDirectories(apt.resolve("archives/partial"));
        Files.writeString(apt.resolve("sources.list"), source + "\n");
        Files.createFile(apt.resolve("status")); // nothing is installed, so everything is needed
        run(source, apt, "update");
        List<String> install = new ArrayList<>(List.of("install", "--download-only", "--no-install-recommends", "-y"));
        install.addAll(List.of(names));
        run(source, apt, install.toArray(String[]::new));
        try (Stream<Path> archives = Files.list(apt.resolve("archives"))) {
            for (Path each : archives.filter(file -> file.toString().endsWith(".deb"))
                    .sorted()
                    .toList()) {
                run(List.of("dpkg-deb", "-x", each.toString(), folder.toString()), apt.resolve("dpkg.log"), "dpkg-deb");
            }
        }
        Folders.delete(apt);
    }

    private static void run(String source, Path apt, String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of("apt-get", "-q"));
        for (String option : List.of(
                "Dir::State=" + apt,
                "Dir::State::status=" + apt.resolve("status"),
                "Dir::Cache=" + apt,
                "Dir::Etc::sourcelist=" + apt.resolve("sources.list"),
                "Dir::Etc::sourceparts=/dev/null",
                "Dir::Etc::preferences=/dev/null",
                "Dir::Etc::preferencesparts=/dev/null",
                "APT::Sandbox::User=" + System.getProperty("user.name"),
                "APT::Update::Error-Mode=any",
                "Acquire::Languages=none",
                "Acquire::Retries=3")) {
            command.addAll(List.of("-o", option));
        }
        command.addAll(List.of(words));
        run(command, apt.resolve("apt.log"), "apt-get " + words[0] + " with '" + source + "'");
    }

    private static void run(List<String> command, Path log, String what) throws IOException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            if (process.waitFor() != 0) {
                throw new IOException(what + " failed, so there is nothing to test with:\n" + Files.readString(log));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted during " + what, e);
        }
    }

    /** Where something of the packages is, named as on a machine where they are installed. */
    Path path(String installed) {
        return root.resolve(installed.substring(1));
    }

    /** A program, started by the loader of the same distribution: that of this machine may be too old for it. */
    List<String> command(String installed) {
        try (Stream<Path> all = Files.walk(root)) {
            Path loader = all.filter(file ->
                            LOADER.matcher(file.getFileName().toString()).matches())
                    .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no ld-linux in " + root));
            Path libraries = loader.getName(loader.getNameCount() - 2);
            return List.of(
                    loader.toString(),
                    "--library-path",
                    path("/lib/" + libraries) + ":" + path("/usr/lib/" + libraries),
                    path(installed).toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
