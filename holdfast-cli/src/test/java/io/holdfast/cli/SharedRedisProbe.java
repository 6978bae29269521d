package io.holdfast.cli;

import io.holdfast.cli.embedded.SharedRedis;
import java.io.IOException;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Finds or starts the shared server, as a command does that was told of no other one, and says where it is. Stays
 * connected until its input ends: the server is not idle before somebody else has connected, however long that takes.
 */
final class SharedRedisProbe {
    private SharedRedisProbe() {}

    public static void main(String[] args) throws IOException {
        while (!hasStayed()) {
            // The machine was so slow that the server was idle for too long: the next one, then.
        }
    }

    private static boolean hasStayed() throws IOException {
        String url = SharedRedis.open().url();
        try (Jedis stays = new Jedis(url)) {
            stays.ping();
            System.out.println(url);
            return System.in.read() < 0;
        } catch (JedisConnectionException gone) {
            return false;
        }
    }
}
