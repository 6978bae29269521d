package io.holdfast.cli.demo;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How an act ended.
 *
 * @param act which one
 * @param asExpected whether it showed what it should
 * @param result what came out, in a few words
 * @param numbers what came out, for the last line
 * @param timeline what happened when; null if the act was not played
 */
record Outcome(
        Act act,
        boolean asExpected,
        String result,
        Map<String, Long> numbers,
        @Nullable Timeline timeline) {

    static Outcome failed(Act act, String why, @Nullable Timeline timeline) {
        return new Outcome(act, false, why, Map.of(), timeline);
    }

    /** Whether it was played to its end, whatever came out. */
    boolean isPlayed() {
        return !numbers.isEmpty();
    }

    /** Whether it showed what it should, and that is how things should be. */
    boolean isRight() {
        return asExpected && !act.goesWrong();
    }

    /** What came of it, in a word. */
    String verdict(Words words) {
        return asExpected ? act.verdict() : words.say("verdict.failed");
    }

    /** The first line of the result. */
    String headline() {
        return result.lines().findFirst().orElse("");
    }

    String number(String name) {
        Long number = numbers.get(name);
        return number == null ? "?" : number.toString();
    }
}
