package io.holdfast.spi;

import java.util.List;

/**
 * What the store knows of one client.
 *
 * @param host where it runs, or empty
 * @param pid its process there, or zero
 * @param name what its user calls it, or empty
 * @param lines what it said of its own lines, a few seconds ago at most
 * @since 0.1
 */
public record ClientView(String host, long pid, String name, List<ClientLine> lines) {

    /** A client of which nothing is known but its id. */
    public static final ClientView UNKNOWN = new ClientView("", 0, "", List.of());
}
