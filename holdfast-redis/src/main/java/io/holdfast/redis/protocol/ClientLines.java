package io.holdfast.redis.protocol;

import io.holdfast.spi.ClientLine;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The format of a client's local lines in its record: {@code claim behind name holder}, one per line. */
public final class ClientLines {
    /** The most names in a record; those with the most threads come first. */
    public static final int MOST = 100;

    private static final int PARTS = 4;

    private ClientLines() {}

    public static String text(List<ClientLine> lines) {
        return lines.stream()
                .sorted(Comparator.comparingInt(ClientLine::behind).reversed().thenComparing(ClientLine::name))
                .limit(MOST)
                .map(line -> line.claim() + " " + line.behind() + " " + Keys.escaped(line.name(), "% ") + " "
                        + Keys.escaped(line.holder(), "% "))
                .collect(Collectors.joining("\n"));
    }

    /** Skips what cannot be read: it must not hide who has a lock. */
    public static List<ClientLine> read(String text) {
        return Arrays.stream(text.split("\n", MOST + 1))
                .flatMap(each -> line(each.split(" ", -1)).stream())
                .toList();
    }

    private static Optional<ClientLine> line(String[] parts) {
        try {
            return parts.length != PARTS
                    ? Optional.empty()
                    : Optional.of(new ClientLine(
                            Keys.unescaped(parts[2]),
                            Long.parseLong(parts[0]),
                            Keys.unescaped(parts[3]),
                            Math.max(0, Integer.parseInt(parts[1]))));
        } catch (NumberFormatException notOurs) {
            return Optional.empty();
        }
    }
}
