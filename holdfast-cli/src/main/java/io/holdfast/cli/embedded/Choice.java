package io.holdfast.cli.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The store that the commands of a user on this machine use when none is named. The first command chooses, and all
 * later ones do as it did: a command that chose anew while that store is away for a moment would not see the holders of
 * locks in it.
 *
 * @param store {@link #EMBEDDED}, or a URL
 * @param file where it is written down
 */
public record Choice(String store, Path file) {
    /** The one that all commands of the user share, see {@link SharedRedis}. */
    public static final String EMBEDDED = "embedded";

    private static final String KNOWN = EMBEDDED + "|redis://localhost:[0-9]{1,5}";

    /**
     * What was chosen before, or what is proposed now. Of two first commands at the same time, one decides for both.
     */
    public static Choice made(Supplier<String> proposal) {
        Home home = Home.ofUser();
        return read(home).orElseGet(() -> firstOf(home, proposal.get()));
    }

    /** What was chosen before. */
    public static Optional<Choice> known() {
        return read(Home.ofUser());
    }

    private static Choice firstOf(Home home, String proposed) {
        try (FileChannel lock = home.lockChoice()) {
            Optional<Choice> before = read(home);
            if (before.isPresent()) {
                return before.get();
            }
            Home.write(home.choiceFile(), List.of(proposed));
            return new Choice(proposed, home.choiceFile());
        } catch (IOException failure) {
            throw unusable(home, failure);
        }
    }

    private static Optional<Choice> read(Home home) {
        Path file = home.choiceFile();
        try {
            String store = Files.readString(file).strip();
            if (!store.matches(KNOWN)) {
                throw new IllegalArgumentException(
                        file + " does not say which store is used, expected '" + EMBEDDED
                                + "' or 'redis://localhost:6379'; name one with --url, or remove the file when no command runs any more");
            }
            return Optional.of(new Choice(store, file));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException failure) {
            throw unusable(home, failure);
        }
    }

    private static UncheckedIOException unusable(Home home, IOException failure) {
        return new UncheckedIOException(
                "which store is used cannot be remembered in " + home.choiceFile() + "; name one with --url", failure);
    }

    /** The next command chooses. */
    public void forget() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(file + " could not be removed", failure);
        }
    }

    /** Whether it is the embedded one. */
    public boolean isEmbedded() {
        return store.equals(EMBEDDED);
    }
}
