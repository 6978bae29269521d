package io.holdfast.spec.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The guard as it is implemented lets nobody in beside a holder, and each variant without one of its rules is caught.
 */
@Tag("integration")
class GuardModelTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "spec", "guard.md");

    /** A row of the page: name, what it is about, states, states again. */
    private static final Pattern ROW = Pattern.compile("\\| `(Guard\\w+)` \\|.*?\\| ([\\d,]+) \\| ([\\d,]+) \\|.*");

    /**
     * What must have happened in a model that is taken for safe: otherwise it may be safe because nothing can happen.
     */
    private static final Set<String> HAPPENS = Set.of(
            "asks after a message",
            "demoted",
            "gives up",
            "granted",
            "handed over: line served by",
            "handed over: released",
            "handed over: released late",
            "line served by",
            "link cut",
            "link heals",
            "promoted",
            "put back",
            "released",
            "released late",
            "renewed",
            "renewed elsewhere",
            "replicated",
            "shakes hands",
            "time passes",
            "waits");

    @ParameterizedTest
    @MethodSource("ofTheBuild")
    void check_aVariantOfTheBuild_isSafeOrCaughtAsExpected(Variant variant) throws IOException {
        check(variant);
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("larger")
    void check_aLargerVariant_isSafeOrCaughtAsExpected(Variant variant) throws IOException {
        check(variant);
    }

    @Test
    void page_ofTheGuard_hasARowForEachVariantAndNoOther() throws IOException {
        List<String> names = Variant.ALL.stream().map(Variant::name).toList();
        assertThat(rows().keySet()).containsExactlyInAnyOrderElementsOf(names);
    }

    private static void check(Variant variant) throws IOException {
        Search.Result result = variant.check();
        assertThat(result.safe()).as("%s", result.steps()).isEqualTo(variant.safe());
        assertThat(List.of(result.distinct(), result.generated()))
                .as("states of %s, as the page says", variant)
                .isEqualTo(rows().get(variant.name()));
        if (variant.safe()) {
            Set<String> missing = new TreeSet<>(HAPPENS);
            missing.removeAll(result.taken().keySet());
            assertThat(missing).as("what never happened").isEmpty();
        }
    }

    private static Map<String, List<Long>> rows() throws IOException {
        Map<String, List<Long>> rows = new TreeMap<>();
        for (String line : Files.readAllLines(PAGE)) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                rows.put(row.group(1), List.of(number(row.group(2)), number(row.group(3))));
            }
        }
        return rows;
    }

    private static long number(String text) {
        return Long.parseLong(text.replace(",", ""));
    }

    static Stream<Variant> ofTheBuild() {
        return Variant.ALL.stream().filter(Variant::inBuild);
    }

    static Stream<Variant> larger() {
        return Variant.ALL.stream().filter(variant -> !variant.inBuild());
    }
}
