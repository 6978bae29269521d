package io.holdfast.quorum;

import io.holdfast.spi.AttemptResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What the members answered to one claim, and what that means.
 *
 * <p>The rule that makes tokens grow: a token counts only if enough members hold the claim with <em>exactly</em> that
 * token. Then every later grant meets one of these members after it stored the token, and gets a greater one. More
 * members with other tokens change nothing.
 */
final class Ballot {
    private final int needed;
    private final @Nullable AttemptResult[] answers;
    private final @Nullable RuntimeException[] troubles;

    Ballot(int members, int needed) {
        this.needed = needed;
        this.answers = new AttemptResult[members];
        this.troubles = new RuntimeException[members];
    }

    void answered(int member, AttemptResult answer) {
        answers[member] = answer;
        troubles[member] = null;
    }

    void failed(int member, RuntimeException trouble) {
        answers[member] = null;
        troubles[member] = trouble;
    }

    @Nullable
    AttemptResult answer(int member) {
        return answers[member];
    }

    @Nullable
    RuntimeException trouble(int member) {
        return troubles[member];
    }

    boolean isGranted(int member) {
        return answers[member] instanceof AttemptResult.Granted;
    }

    /** Whether another claim is ahead of this one on the member. */
    boolean isBusy(int member) {
        return answers[member] instanceof AttemptResult.Busy || answers[member] instanceof AttemptResult.Queued;
    }

    int count(Class<? extends AttemptResult> kind) {
        return (int) Arrays.stream(answers).filter(kind::isInstance).count();
    }

    boolean isEnough() {
        return count(AttemptResult.Granted.class) >= needed;
    }

    /** Whether there would be enough grants if all busy members granted. */
    boolean isOpen() {
        return IntStream.range(0, answers.length)
                        .filter(member -> isGranted(member) || isBusy(member))
                        .count()
                >= needed;
    }

    /** Whether too few members can be reached to decide. */
    boolean isOutage() {
        return answers.length - unreachable().size() < needed;
    }

    /** The members that did not answer. */
    List<Integer> unreachable() {
        return IntStream.range(0, answers.length)
                .filter(member -> answers[member] == null)
                .boxed()
                .toList();
    }

    private static long token(@Nullable AttemptResult answer) {
        return answer instanceof AttemptResult.Granted granted ? granted.token() : 0;
    }

    /** The greatest token that enough members agree on exactly. */
    OptionalLong agreed() {
        return Arrays.stream(answers)
                .mapToLong(Ballot::token)
                .filter(token -> token != 0 && holders(token).size() >= needed)
                .max();
    }

    /** Whether enough members agree on exactly this token. */
    boolean agreesOn(long token) {
        return holders(token).size() >= needed;
    }

    private List<AttemptResult.Granted> holders(long token) {
        List<AttemptResult.Granted> found = new ArrayList<>();
        for (AttemptResult answer : answers) {
            if (answer instanceof AttemptResult.Granted granted && granted.token() == token) {
                found.add(granted);
            }
        }
        return found;
    }

    long greatest() {
        return Arrays.stream(answers).mapToLong(Ballot::token).max().orElse(0);
    }

    /** The members that granted a smaller token. */
    List<Integer> below(long token) {
        return IntStream.range(0, answers.length)
                .filter(member -> isGranted(member) && token(answers[member]) < token)
                .boxed()
                .toList();
    }

    /** How long enough of the members with this token will keep it. */
    Duration left(long token) {
        return holders(token).stream()
                .map(AttemptResult.Granted::left)
                .sorted(Comparator.reverseOrder())
                .skip(needed - 1L)
                .findFirst()
                .orElseThrow();
    }

    /** The result of a claim that did not win. */
    AttemptResult refusal(Duration pause) {
        int reachable = answers.length - unreachable().size();
        if (reachable - count(AttemptResult.Refused.class) < needed) {
            return soonestOpening(needed - (reachable - count(AttemptResult.Refused.class)));
        }
        Duration left = pause;
        for (AttemptResult answer : answers) {
            if (answer instanceof AttemptResult.Mismatched
                    && count(AttemptResult.Mismatched.class) > answers.length - needed) {
                return answer;
            }
            if (answer instanceof AttemptResult.Queued) {
                return answer;
            }
            if (answer instanceof AttemptResult.Busy busy && busy.left().compareTo(left) < 0) {
                left = busy.left();
            }
        }
        return new AttemptResult.Busy(left);
    }

    /** When enough of the shut members will have opened. */
    private AttemptResult soonestOpening(int missing) {
        List<AttemptResult.Refused> shut = Arrays.stream(answers)
                .filter(AttemptResult.Refused.class::isInstance)
                .map(AttemptResult.Refused.class::cast)
                .sorted(Comparator.comparing(AttemptResult.Refused::retryAfter))
                .toList();
        AttemptResult.Refused last = shut.get(missing - 1);
        return new AttemptResult.Refused(
                shut.size() + " of " + answers.length + " nodes grant nothing"
                        + (unreachable().isEmpty()
                                ? ""
                                : " and " + unreachable().size() + " cannot be reached") + ": "
                        + last.why(),
                last.retryAfter());
    }
}
