package io.holdfast.cli.demo;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a worker finds things. Sent as its first lines, not as arguments: everybody on the machine can read those.
 *
 * @param name of the worker
 * @param redisUrl with its password
 * @param jdbcUrl of the shop's database
 * @param password of the user {@link DemoDatabase#USER}
 * @param lease how long the lock outlives a holder that is killed or stopped; in a sale it is the default
 */
record WorkerSettings(String name, String redisUrl, String jdbcUrl, String password, Duration lease) {

    List<String> lines() {
        return List.of(name, redisUrl, jdbcUrl, password, String.valueOf(lease.toMillis()));
    }

    static WorkerSettings read(BufferedReader in) throws IOException {
        return new WorkerSettings(line(in), line(in), line(in), line(in), Duration.ofMillis(Long.parseLong(line(in))));
    }

    private static String line(BufferedReader in) throws IOException {
        @Nullable String line = in.readLine();
        if (line == null) {
            throw new EOFException("nobody is there any more");
        }
        return line;
    }
}
