package io.holdfast.redis.protocol;

import io.holdfast.spi.ClientLine;
import io.holdfast.spi.ClientLines;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The format of a client's local lines in its record: {@code claim behind name holder}, one per line. */
public final class LinesFormat {
    private static final int PARTS = 4;

    private LinesFormat() {}

    public static String text(List<ClientLine> lines) {
        return ClientLines.longest(lines).stream()
                .map(line -> line.claim() + " " + line.behind() + " " + Keys.escaped(line.name(), "% ") + " "
                        + Keys.escaped(line.holder(), "% "))
                .collect(Collectors.joining("\n"));
    }

    /** Skips what cannot be read: it must not hide who has a lock. */
    public static List<ClientLine> read(String text) {
        return Arrays.stream(text.split("\n", ClientLines.MOST + 1))
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
