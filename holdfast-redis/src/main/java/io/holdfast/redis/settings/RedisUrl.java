package io.holdfast.redis.settings;

import io.holdfast.redis.driver.Printable;
import io.holdfast.redis.driver.RedisAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where to connect, as one line of text:
 *
 * <pre>
 * redis://[[user:]password@]host[:port][/database]              one server
 * redis-sentinel://[[user:]password@]host[:port],…/master[/database]
 * redis-cluster://[[user:]password@]host[:port],…
 * </pre>
 *
 * Each with {@code rediss} instead of {@code redis} for TLS. Has the password inside, so it is never printed.
 */
public record RedisUrl(
        Mode mode,
        boolean tls,
        @Nullable String user,
        @Nullable String password,
        List<RedisAddress> addresses,
        String masterName,
        int database) {

    public enum Mode {
        SINGLE(6379),
        SENTINEL(26_379),
        CLUSTER(6379);

        private final int port;

        Mode(int port) {
            this.port = port;
        }
    }

    private static final int MOST_PORT = 65_535;
    private static final String HOST = "[A-Za-z0-9._-]+|[0-9A-Fa-f:.%]*:[0-9A-Za-z:.%]*";
    private static final String EXPECTED =
            "expected redis://[user:password@]host[:port][/database], redis-sentinel://host[:port],…/master or"
                    + " redis-cluster://host[:port],…, with rediss for TLS";

    public static RedisUrl parse(String url) {
        int end = url.indexOf("://");
        if (end < 0) {
            throw wrong("it has no scheme");
        }
        String scheme = url.substring(0, end).toLowerCase(Locale.ROOT);
        boolean tls = scheme.startsWith("rediss");
        Mode mode = mode(tls ? "redis" + scheme.substring("rediss".length()) : scheme);
        String rest = url.substring(end + "://".length());
        int at = rest.lastIndexOf('@');
        String login = at < 0 ? "" : rest.substring(0, at);
        String[] path = rest.substring(at + 1).split("/", -1);
        List<RedisAddress> addresses = addresses(path[0], mode);
        boolean sentinel = mode == Mode.SENTINEL;
        String masterName = sentinel && path.length > 1 ? path[1] : "";
        if (sentinel && masterName.isEmpty()) {
            throw wrong("a Sentinel URL must end with the name of the master");
        }
        int part = sentinel ? 2 : 1;
        int database = path.length > part && !path[part].isEmpty() ? number("database", path[part], 0, 1 << 20) : 0;
        if (path.length > part + 1) {
            throw wrong("there is too much after the host");
        }
        if (mode == Mode.CLUSTER && database != 0) {
            throw wrong("a cluster has no database but 0");
        }
        int colon = login.indexOf(':');
        String user = colon > 0 ? decoded(login.substring(0, colon)) : null;
        String password = at < 0 ? null : decoded(login.substring(colon + 1));
        return new RedisUrl(mode, tls, user, password, addresses, masterName, database);
    }

    /** No address yet. */
    public static RedisUrl empty() {
        return new RedisUrl(Mode.SINGLE, false, null, null, List.of(), "", 0);
    }

    /** One more server. */
    public RedisUrl and(String host, int port) {
        if (!host.matches(HOST)) {
            throw new IllegalArgumentException(
                    "host is '" + Printable.of(host) + "', expected a host name or an address without brackets");
        }
        if (port < 1 || port > MOST_PORT) {
            throw new IllegalArgumentException("port is " + port + ", expected from 1 to " + MOST_PORT);
        }
        List<RedisAddress> more = new ArrayList<>(addresses);
        more.add(new RedisAddress(host, port));
        return new RedisUrl(mode, tls, user, password, List.copyOf(more), masterName, database);
    }

    /** The same servers, of this kind. */
    public RedisUrl as(Mode other, String master) {
        return new RedisUrl(other, tls, user, password, addresses, master, database);
    }

    /** The same servers, with this database. */
    public RedisUrl in(int other) {
        return new RedisUrl(mode, tls, user, password, addresses, masterName, other);
    }

    /** The same servers, with TLS. */
    public RedisUrl encrypted() {
        return new RedisUrl(mode, true, user, password, addresses, masterName, database);
    }

    /** This, if it makes sense. */
    public RedisUrl checked() {
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("no server was named; call address(host, port), or give a URL");
        }
        if (mode == Mode.SINGLE && addresses.size() > 1) {
            throw new IllegalArgumentException("address() named " + addresses.size() + " servers: " + addresses
                    + "; expected one, or cluster() or sentinels(master) as well");
        }
        if (mode == Mode.SENTINEL && masterName.isBlank()) {
            throw new IllegalArgumentException("the name of the master is empty; name it with sentinels(master)");
        }
        if (database < 0 || (mode == Mode.CLUSTER && database != 0)) {
            throw new IllegalArgumentException("database is " + database + ", expected "
                    + (mode == Mode.CLUSTER ? "0: a cluster has no other" : "at least 0"));
        }
        return this;
    }

    private static Mode mode(String scheme) {
        return switch (scheme) {
            case "redis" -> Mode.SINGLE;
            case "redis-sentinel" -> Mode.SENTINEL;
            case "redis-cluster" -> Mode.CLUSTER;
            default -> throw wrong("its scheme '" + scheme + "' is not known");
        };
    }

    private static List<RedisAddress> addresses(String hosts, Mode mode) {
        List<RedisAddress> addresses = new ArrayList<>();
        for (String each : hosts.split(",", -1)) {
            int bracket = each.lastIndexOf(']');
            int colon = each.indexOf(':', bracket + 1);
            String host = colon < 0 ? each : each.substring(0, colon);
            if (host.startsWith("[") && host.endsWith("]") && host.indexOf(':') > 0) {
                host = host.substring(1, host.length() - 1);
            }
            if (host.isBlank()) {
                throw wrong("a host is missing");
            }
            if (!host.matches(HOST)) {
                throw wrong("a host has characters that no host has; options are set on the builder, not in the URL");
            }
            int port = colon < 0 ? mode.port : number("port", each.substring(colon + 1), 1, MOST_PORT);
            addresses.add(new RedisAddress(host, port));
        }
        if (mode == Mode.SINGLE && addresses.size() > 1) {
            throw wrong("it names " + addresses.size() + " servers, but redis:// is for one");
        }
        return addresses;
    }

    private static int number(String what, String text, int least, int most) {
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException noNumber) {
            // handled as out of range
        }
        // Without the text: if the host is missing, what looks like a port is a password.
        throw wrong("its " + what + " is not a number from " + least + " to " + most);
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException unreadable) {
            throw wrong("its user or password has a % that is not followed by two hex digits; write %25 for %");
        }
    }

    /** Never contains the URL: its password would end up in a log. */
    private static IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException("the Redis URL cannot be used: " + why + "; " + EXPECTED);
    }

    @Override
    public String toString() {
        return mode + " " + addresses;
    }
}
