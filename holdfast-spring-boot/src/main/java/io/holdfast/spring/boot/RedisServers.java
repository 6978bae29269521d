package io.holdfast.spring.boot;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/**
 * The Redis that the application is connected to, whatever the version of Spring Boot calls it. A bean of this type
 * replaces what Boot knows.
 *
 * <p><b>Threads.</b> Immutable.
 *
 * @since 0.1
 */
public final class RedisServers {
    private final String path;
    private final Login login;
    private final Login sentinelLogin;
    private final @Nullable SslBundle ssl;
    private final @Nullable HoldfastStartException refused;

    /**
     * Who logs in.
     *
     * @param user the user; null for the default one
     * @param password the password; null for none
     */
    public record Login(@Nullable String user, @Nullable String password) {
        /** Nobody. */
        public static final Login NONE = new Login(null, null);

        @Override
        public String toString() {
            return "Login of " + user; // never with the password
        }
    }

    private RedisServers(
            String path,
            Login login,
            Login sentinelLogin,
            @Nullable SslBundle ssl,
            @Nullable HoldfastStartException refused) {
        this.path = path;
        this.login = login;
        this.sentinelLogin = sentinelLogin;
        this.ssl = ssl;
        this.refused = refused;
    }

    private static RedisServers at(String path) {
        return new RedisServers(path, Login.NONE, Login.NONE, null, null);
    }

    /** Servers that cannot be used; who does is told why. */
    static RedisServers refused(String what, HoldfastStartException why) {
        return new RedisServers(what, Login.NONE, Login.NONE, null, why);
    }

    /**
     * One server.
     *
     * @param host where it is
     * @param port its port
     * @param database the number of the database
     * @return the server
     */
    public static RedisServers single(String host, int port, int database) {
        return at("://" + node(host, port) + "/" + database);
    }

    /**
     * The master that Sentinels agree on.
     *
     * @param sentinels each as {@code host:port}
     * @param master the name of the master
     * @param database the number of the database
     * @return the servers
     */
    public static RedisServers sentinel(List<String> sentinels, String master, int database) {
        return at("-sentinel://" + String.join(",", sentinels) + "/" + master + "/" + database);
    }

    /**
     * A cluster.
     *
     * @param nodes some of its nodes, each as {@code host:port}
     * @return the servers
     */
    public static RedisServers cluster(List<String> nodes) {
        return at("-cluster://" + String.join(",", nodes));
    }

    /**
     * A static list of a master and its replicas, which cannot be used: nobody says which of them is the master after a
     * failover. An application that keeps its locks elsewhere starts with it all the same.
     *
     * @param nodes each as {@code host:port}
     * @return the servers; who connects to them gets a {@link HoldfastStartException}
     */
    public static RedisServers masterReplica(List<String> nodes) {
        return refused(
                "://" + String.join(",", nodes),
                new HoldfastStartException(
                        "spring.data.redis.masterreplica.nodes is a static list (" + String.join(", ", nodes)
                                + "): nobody says which server is the master after a failover, so locks could be lost"
                                + " or be held twice.",
                        "Name the master in holdfast.redis.url=redis://host:port, or use Sentinel:"
                                + " spring.data.redis.sentinel.master and spring.data.redis.sentinel.nodes."));
    }

    /**
     * Writes an address as {@code host:port}.
     *
     * @param host a name or an address, IPv6 with or without brackets
     * @param port the port
     * @return both
     */
    public static String node(String host, int port) {
        return (host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + port;
    }

    /**
     * Sets who logs in.
     *
     * @param login at the servers
     * @param sentinelLogin at the Sentinels
     * @return the changed copy
     */
    public RedisServers login(Login login, Login sentinelLogin) {
        return new RedisServers(path, login, sentinelLogin, ssl, refused);
    }

    /**
     * Sets how connections are encrypted.
     *
     * @param ssl null for not at all
     * @return the changed copy
     */
    public RedisServers ssl(@Nullable SslBundle ssl) {
        return new RedisServers(path, login, sentinelLogin, ssl, refused);
    }

    /** The servers as a URL of ours, without a login. */
    String url() {
        if (refused != null) {
            throw refused;
        }
        return toString();
    }

    Login login() {
        return login;
    }

    Login sentinelLogin() {
        return sentinelLogin;
    }

    @Nullable
    SslBundle ssl() {
        return ssl;
    }

    @Override
    public String toString() {
        return (ssl == null ? "redis" : "rediss") + path;
    }
}
