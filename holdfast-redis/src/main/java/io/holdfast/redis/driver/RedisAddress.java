package io.holdfast.redis.driver;

/**
 * Where a server listens.
 *
 * @param host name or address, without brackets
 * @param port its port
 * @since 0.1
 */
public record RedisAddress(String host, int port) {

    @Override
    public String toString() {
        return Printable.of(host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
