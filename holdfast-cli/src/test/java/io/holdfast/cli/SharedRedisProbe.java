package io.holdfast.cli;

import io.holdfast.cli.embedded.SharedRedis;

/** Finds or starts the shared server, as a command does that was told of no other one, and says where it is. */
final class SharedRedisProbe {
    private SharedRedisProbe() {}

    public static void main(String[] args) {
        System.out.println(SharedRedis.open().url());
    }
}
