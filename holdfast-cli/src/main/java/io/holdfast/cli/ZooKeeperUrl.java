package io.holdfast.cli;

import io.holdfast.zookeeper.ZooKeeperLocks;
import io.holdfast.zookeeper.ZooKeeperLocksBuilder;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * What {@code zk://[user:password@]host[:port],host[:port][/chroot]} means. A server without a port is at 2181.
 *
 * @param login {@code user:password}, or empty
 * @param connect as ZooKeeper's own client wants it
 */
record ZooKeeperUrl(String login, String connect) {
    private static final String SCHEME = "zk://";
    private static final String FORM = "zk://[user:password@]host[:port],host[:port][/path]";

    /** Also what is meant but not written so. */
    static boolean isMeant(String url) {
        String lower = url.strip().toLowerCase(Locale.ROOT);
        return lower.startsWith("zk:") || lower.startsWith("zookeeper:");
    }

    /** No message repeats the URL: what is wrong with it may have put the password anywhere. */
    static ZooKeeperUrl parse(String url) {
        if (!url.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            throw new IllegalArgumentException("the URL of a ZooKeeper does not begin with zk://, expected " + FORM);
        }
        String rest = url.substring(SCHEME.length());
        if (rest.contains(SCHEME)) {
            throw new IllegalArgumentException(
                    "the URL has zk:// twice, expected it once, before all servers: " + FORM);
        }
        int slash = rest.indexOf('/');
        String authority = slash < 0 ? rest : rest.substring(0, slash);
        String path = slash < 0 ? "" : rest.substring(slash);
        if (path.contains("@")) {
            throw new IllegalArgumentException(
                    "the URL has an '@' behind a '/'; write a '/' of the password as %2F, and"
                            + " an '@' of the path as %40");
        }
        int at = authority.lastIndexOf('@');
        String login = at < 0 ? "" : decoded(authority.substring(0, at));
        if (at >= 0 && (login.indexOf(':') < 1 || login.endsWith(":"))) {
            throw new IllegalArgumentException("what is before the '@' is no user:password, expected " + FORM);
        }
        return new ZooKeeperUrl(login, decoded(authority.substring(at + 1)) + decoded(path));
    }

    private static String decoded(String part) {
        try {
            return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    "a '%' in the URL is followed by no two hexadecimal digits, write it as %25");
        }
    }

    ZooKeeperLocksBuilder builder() {
        ZooKeeperLocksBuilder builder = ZooKeeperLocks.builder(connect);
        return login.isEmpty() ? builder : builder.auth("digest", login.getBytes(StandardCharsets.UTF_8));
    }

    /** Without the password. */
    @Override
    public String toString() {
        return SCHEME + connect;
    }
}
