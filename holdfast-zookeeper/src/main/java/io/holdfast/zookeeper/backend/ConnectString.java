package io.holdfast.zookeeper.backend;

import java.util.regex.Pattern;

/**
 * Where the servers are, and below which node of theirs everything is.
 *
 * @param servers {@code host:port,host:port}
 * @param chroot empty, or a path that begins with a slash and does not end with one
 */
public record ConnectString(String servers, String chroot) {
    private static final Pattern SERVER = Pattern.compile("(\\[[0-9A-Fa-f:.%]+]|[^\\s,/\\[\\]:]+)(:[0-9]{1,5})?");
    private static final Pattern RELATIVE = Pattern.compile("/\\.\\.?(/|$)");

    /** Refuses what ZooKeeper's client would take for a host that it never finds. */
    public static ConnectString parse(String connect) {
        int slash = connect.indexOf('/');
        String servers = slash < 0 ? connect : connect.substring(0, slash);
        String chroot = slash < 0 ? "" : connect.substring(slash);
        if (chroot.equals("/")) {
            chroot = "";
        }
        for (String server : servers.split(",", -1)) {
            if (!SERVER.matcher(server.strip()).matches()) {
                throw new IllegalArgumentException("connect is '" + connect + "', and '" + server.strip()
                        + "' is no server in it; expected host:port,host:port/path, without a scheme before it");
            }
        }
        if (chroot.endsWith("/") || chroot.contains("//") || isAnyRelative(chroot)) {
            throw new IllegalArgumentException(
                    "connect is '" + connect + "', expected a path behind the servers such as"
                            + " /app: no slash at its end, no two in a row, no '.' or '..'");
        }
        return new ConnectString(servers, chroot);
    }

    /** ZooKeeper refuses names that look like a way. */
    public static boolean isAnyRelative(String path) {
        return RELATIVE.matcher(path).find();
    }

    @Override
    public String toString() {
        return servers + chroot;
    }
}
