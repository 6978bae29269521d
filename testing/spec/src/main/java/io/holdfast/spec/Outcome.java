package io.holdfast.spec;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What TLC said about one configuration.
 *
 * @param verdict {@link Configuration#SAFE} if every state was visited and all invariants hold, the name of the
 *     invariant that was broken, or {@link #FAILED}
 * @param distinct how many different states were found
 * @param generated how many states were found, the same ones again included
 * @param seconds how long it took
 * @param idle the actions that never led to a state; known of complete searches only
 * @param output all that TLC printed
 */
record Outcome(String verdict, long distinct, long generated, double seconds, Set<String> idle, String output) {
    /** The verdict when TLC came to none: a mistake in the specification, or no memory. */
    static final String FAILED = "failed";

    private static final Pattern BROKEN = Pattern.compile("^Error: Invariant (\\w+) is violated", Pattern.MULTILINE);
    private static final Pattern COUNTS = Pattern.compile(
            "^(\\d+) states generated, (\\d+) distinct states found, (\\d+) states left", Pattern.MULTILINE);
    private static final Pattern COVERED = Pattern.compile("^<(\\w+) line .*>: \\d+:(\\d+)$", Pattern.MULTILINE);
    private static final Pattern STEP = Pattern.compile("^State \\d+: <(\\w+).*$");
    private static final String COMPLETE = "Model checking completed. No error has been found.";

    static Outcome of(int exit, String output, double seconds) {
        long generated = 0;
        long distinct = 0;
        long left = 0;
        for (Matcher counts = COUNTS.matcher(output); counts.find(); ) {
            generated = Long.parseLong(counts.group(1));
            distinct = Long.parseLong(counts.group(2));
            left = Long.parseLong(counts.group(3));
        }
        Matcher broken = BROKEN.matcher(output);
        String verdict = FAILED;
        if (broken.find()) {
            verdict = broken.group(1);
        } else if (exit == 0 && left == 0 && distinct > 0 && output.contains(COMPLETE)) {
            verdict = Configuration.SAFE;
        }
        return new Outcome(verdict, distinct, generated, seconds, idle(output), output);
    }

    private static Set<String> idle(String output) {
        Set<String> idle = new TreeSet<>();
        for (Matcher covered = COVERED.matcher(output); covered.find(); ) {
            if (Long.parseLong(covered.group(2)) == 0) {
                idle.add(covered.group(1));
            } else {
                idle.remove(covered.group(1));
            }
        }
        return idle;
    }

    /** The actions that lead to the broken invariant, first to last. */
    List<String> steps() {
        List<String> steps = new ArrayList<>();
        output.lines().map(STEP::matcher).filter(Matcher::matches).forEach(step -> steps.add(step.group(1)));
        return steps.isEmpty() ? steps : steps.subList(1, steps.size());
    }
}
