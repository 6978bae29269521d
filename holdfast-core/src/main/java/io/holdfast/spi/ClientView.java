package io.holdfast.spi;

import java.net.InetAddress;
import java.net.UnknownHostException;
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

    /**
     * Describes a client of this process, with no lines.
     *
     * @param name what its user calls it, or empty
     * @return the description
     */
    public static ClientView ofThisProcess(String name) {
        return new ClientView(localHost(), ProcessHandle.current().pid(), name, List.of());
    }

    private static String localHost() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "unknown";
        }
    }
}
