package io.holdfast.spi;

/**
 * What the store knows of one client.
 *
 * @param host where it runs, or empty
 * @param pid its process there, or zero
 * @param name what its user calls it, or empty
 */
public record ClientView(String host, long pid, String name) {

    /** A client of which nothing is known but its id. */
    public static final ClientView UNKNOWN = new ClientView("", 0, "");
}
