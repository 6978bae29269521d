package io.holdfast.redis.doctor;

import io.holdfast.Finding;
import io.holdfast.Finding.Level;
import io.holdfast.redis.driver.Printable;
import io.holdfast.redis.driver.RedisAddress;
import java.util.ArrayList;
import java.util.List;

/** The findings so far, in the order of the checks. */
final class Findings {
    private final List<Finding> all = new ArrayList<>();

    void ok(RedisAddress server, String check, String text) {
        add(Level.OK, server, check, text, "");
    }

    void warn(RedisAddress server, String check, String text, String remedy) {
        add(Level.WARN, server, check, text, remedy);
    }

    void fail(RedisAddress server, String check, String text, String remedy) {
        add(Level.FAIL, server, check, text, remedy);
    }

    private void add(Level level, RedisAddress server, String check, String text, String remedy) {
        all.add(Finding.of(level, server.toString(), check, Printable.of(text), Printable.of(remedy)));
    }

    List<Finding> all() {
        return List.copyOf(all);
    }
}
