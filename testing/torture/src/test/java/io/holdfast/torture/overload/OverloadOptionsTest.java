package io.holdfast.torture.overload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OverloadOptionsTest {

    @Test
    void options_someGiven_othersAreTheDefaults() {
        OverloadOptions options = new OverloadOptions("--stores", "single", "--callers", "1,256");

        assertThat(options.list("callers")).containsExactly("1", "256");
        assertThat(options.list("distances")).containsExactly("0", "1", "20");
        assertThat(options.number("held")).isEqualTo(100);
        assertThat(options.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiterString = " -> ", quoteCharacter = '"', textBlock = """
                    --store single -> there is no option --store
                    stores single -> there is no option stores
                    --minutes -> --minutes needs a value
                    --stores single,seven -> 'seven' is not possible, expected single|cluster|quorum
                    --callers 0 -> '0' is not possible, expected a whole number
                    --distances 1,x -> 'x' is not possible, expected a whole number
                    """)
    void options_mistake_isNamed(String arguments, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OverloadOptions(arguments.split(" ", -1)))
                .withMessageContaining(message);
    }

    @Test
    void out_noSuchFolder_isRefusedBeforeTheRun(@TempDir Path folder) {
        String page = folder.resolve("none").resolve("page.md").toString();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OverloadOptions("--out", page))
                .withMessageContaining("there is no folder");
        assertThat(new OverloadOptions("--out", folder.resolve("page.md").toString()).out())
                .isPresent();
    }
}
