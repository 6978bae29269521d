package io.holdfast.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a command line gave, run in this process and without a terminal. */
record Called(int code, String out, String err) {

    static Called holdfast(String... args) {
        return with(false, args);
    }

    /** As on a terminal with colours. */
    static Called coloured(String... args) {
        return with(true, args);
    }

    private static Called with(boolean coloured, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Screen screen = new Screen(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false,
                coloured);
        int code = Holdfast.execute(screen, args);
        return new Called(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    List<String> lines() {
        return out.lines().toList();
    }
}
