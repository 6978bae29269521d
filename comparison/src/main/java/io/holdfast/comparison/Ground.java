package io.holdfast.comparison;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Under which circumstances the libraries work; the same for all of them.
 *
 * @param pinned whether clients and servers have a core each
 * @param inside how long a thread stays inside while it is measured
 * @param delay how much longer a round trip to the server takes
 * @param tls whether they speak TLS
 * @param virtual whether virtual threads work
 */
record Ground(boolean pinned, Duration inside, Duration delay, boolean tls, boolean virtual) {
    static final Ground PLAIN = new Ground(false, Duration.ZERO, Duration.ZERO, false, false);

    private static final int VIRTUAL_SINCE = 21;
    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final Pattern TIME = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(us|µs|ms|s)");
    private static final List<String> CLIENTS = List.of("taskset", "--cpu-list", "1");

    /** Such as {@code 1ms}, {@code 0.5ms} or {@code 200us}. */
    static Duration time(String option, String text) {
        Matcher matcher = TIME.matcher(text);
        if (matcher.matches()) {
            double unit = switch (matcher.group(2)) {
                case "s" -> 1e9;
                case "ms" -> 1e6;
                default -> 1e3;
            };
            Duration time = Duration.ofNanos(Math.round(Double.parseDouble(matcher.group(1)) * unit));
            if (!time.isZero() && time.compareTo(LONGEST) <= 0) {
                return time;
            }
        }
        throw new IllegalArgumentException(option + " is '" + text
                + "', expected a time of more than nothing and at most 1s, such as 0.5ms or 200us;"
                + " bin/bench --help tells more");
    }

    /** Refuses what this machine cannot do. */
    void check(int cores, int java, boolean canPin) {
        if (pinned && cores < 2) {
            throw new IllegalArgumentException(
                    "--pin gives clients and server a core each, and this machine has " + cores + "; leave it out");
        }
        if (pinned && !canPin) {
            throw new IllegalArgumentException(
                    "--pin needs the program taskset (package util-linux), which is not here");
        }
        if (virtual && java < VIRTUAL_SINCE) {
            throw new IllegalArgumentException("--virtual needs Java " + VIRTUAL_SINCE + " or later, and this is Java "
                    + java + "; name another one, as in JAVA=/path/to/bin/java bin/bench");
        }
    }

    /** Whether only servers that speak Redis can be put there. */
    boolean needsRedis() {
        return pinned || tls || !delay.isZero();
    }

    /** What stands before the command of a client. */
    List<String> beforeClients() {
        return pinned ? CLIENTS : List.of();
    }

    /** Moves a server to the core that the clients leave to it. */
    void pinServer(long pid) {
        if (pinned) {
            Commands.run("taskset", "--all-tasks", "--cpu-list", "--pid", "0", Long.toString(pid));
        }
    }

    /** For a headline; empty where nothing is special. */
    String text() {
        StringBuilder text = new StringBuilder();
        text.append(pinned ? "Clients on one core, the server on another. " : "");
        text.append(inside.isZero() ? "" : "Everybody stays inside for " + Numbers.time(inside.toNanos() / 1e3) + ". ");
        text.append(delay.isZero() ? "" : "A round trip takes " + Numbers.time(delay.toNanos() / 1e3) + " more. ");
        text.append(tls ? "All speak TLS, to a proxy beside the server. " : "");
        text.append(virtual ? "The threads are virtual ones. " : "");
        return text.toString().strip();
    }
}
