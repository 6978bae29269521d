package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StderrLogsTest {
    /** The library escapes what a store sent. If it ever forgets to, the terminal is still safe. */
    @Test
    void log_textWithControls_staysOneVisibleLine() {
        PrintStream before = System.err;
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            new StderrLogs()
                    .getLogger("io.holdfast.redis", StderrLogsTest.class.getModule())
                    .log(System.Logger.Level.WARNING, "a\u001b[2J\nb", new IllegalStateException("c\u202e"));
        } finally {
            System.setErr(before);
        }
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("holdfast: a\\u001b[2J; b: c\\u202e\n");
    }
}
