package io.holdfast.redis.protocol;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the mark of a guarded server says: guard.lua writes it and has its form.
 *
 * @param incarnation which server was marked
 * @param shutUntilMicros until when nothing new is granted, on the server's clock; zero if it is open
 * @param longestMillis the longest lease that the server is guarded for
 * @param members how many servers vote, or zero
 */
public record Mark(String incarnation, long shutUntilMicros, long longestMillis, long members) {
    private static final Pattern STORED = Pattern.compile("(\\S+) (\\d{1,18}) (\\d{1,18}) (\\d{1,18})(?: \\S*)?");

    /**
     * The mark as it is stored.
     *
     * @param reply of {@code GET}
     * @return null if there is none
     */
    public static @Nullable Mark stored(@Nullable Object reply) {
        Matcher mark = STORED.matcher(reply == null ? "" : Replies.string(reply));
        return mark.matches()
                ? new Mark(mark.group(1), number(mark.group(2)), number(mark.group(3)), number(mark.group(4)))
                : null;
    }

    /**
     * The mark as guard.lua answers. The incarnation is empty if there was none before.
     *
     * @param answer of the script
     */
    public static Mark answered(List<?> answer) {
        return new Mark(
                Replies.string(answer.get(3)),
                Replies.number(answer.get(1)),
                Replies.number(answer.get(2)),
                Replies.number(answer.get(4)));
    }

    private static long number(String digits) {
        return Long.parseLong(digits);
    }
}
