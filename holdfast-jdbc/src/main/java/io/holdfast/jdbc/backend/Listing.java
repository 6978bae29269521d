package io.holdfast.jdbc.backend;

import io.holdfast.LockKind;
import io.holdfast.jdbc.database.Row;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** The rows of a list, page by page. */
final class Listing {
    private static final Logger LOG = System.getLogger("io.holdfast.jdbc");

    /** How many rows a page of the list has; see statements.sql. */
    static final int PAGE = 500;

    private Listing() {}

    /** Reads a page of rows: after one key, before another. */
    interface Page {
        List<Row> read(byte[] after, byte[] end);
    }

    /** The rows in use whose names begin so, page by page. */
    static Stream<Row> list(String namePrefix, Page page) {
        return Arrays.stream(LockKind.values()).flatMap(kind -> {
            byte[] prefix = Row.prefix(kind, namePrefix);
            byte[] end = following(prefix);
            return Stream.iterate(
                            page.read(preceding(prefix), end),
                            rows -> !rows.isEmpty(),
                            rows -> rows.size() < PAGE
                                    ? List.of()
                                    : page.read(
                                            Objects.requireNonNull(
                                                    rows.get(rows.size() - 1).key()),
                                            end))
                    .flatMap(List::stream);
        });
    }

    static Resource resource(Row row) {
        byte[] key = Objects.requireNonNull(row.key());
        return new Resource(Row.kind(key), Row.name(key), row.capacity());
    }

    /** A row that cannot be read hides no other; whoever asks for it by name is told. */
    static Optional<ResourceView> readable(Row row) {
        Resource resource = resource(row);
        try {
            return row.toRecord(resource).view(resource.name(), row.nowMicros());
        } catch (IllegalArgumentException garbage) {
            LOG.log(Level.WARNING, "{0} is left out of the list: {1}", resource, garbage.getMessage());
            return Optional.empty();
        }
    }

    /** The first key that does not begin with a prefix and comes after all that do. */
    static byte[] following(byte[] prefix) {
        byte[] end = prefix.clone();
        int last = end.length - 1;
        while (end[last] == (byte) 0xff) {
            last--;
        }
        end[last]++;
        return Arrays.copyOf(end, last + 1);
    }

    /**
     * A key before which nothing that begins with the prefix comes, and which is not a lock's: the name would be empty
     * or incomplete.
     */
    static byte[] preceding(byte[] prefix) {
        byte[] before = prefix.clone();
        int last = before.length - 1;
        if (before[last] == 0) {
            return Arrays.copyOf(before, last);
        }
        before[last]--;
        byte[] padded = Arrays.copyOf(before, before.length + 600);
        Arrays.fill(padded, before.length, padded.length, (byte) 0xff);
        return padded;
    }
}
