package io.holdfast.testing.redis;

/**
 * What a server counted for one command.
 *
 * @param calls how often it was executed
 * @param usec microseconds spent in it altogether
 */
public record CommandStat(long calls, long usec) {
    static CommandStat parse(String text) {
        long calls = 0;
        long usec = 0;
        for (String field : text.split(",", -1)) {
            int equals = field.indexOf('=');
            switch (field.substring(0, equals)) {
                case "calls" -> calls = Long.parseLong(field.substring(equals + 1));
                case "usec" -> usec = Long.parseLong(field.substring(equals + 1));
                default -> {}
            }
        }
        return new CommandStat(calls, usec);
    }
}
