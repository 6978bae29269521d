package io.holdfast.cli;

import io.holdfast.cli.screen.Screen;

/** Where the launcher starts. */
public final class Main {
    private Main() {}

    /** Runs one command and ends with its exit code. */
    public static void main(String[] args) {
        System.exit(execute(args));
    }

    static int execute(String... args) {
        for (String arg : args) {
            if (arg.indexOf('\ufffd') >= 0) {
                System.err.println(
                        "holdfast: an argument is not text in this locale; write names and arguments in UTF-8");
                return ExitCodes.USAGE;
            }
        }
        try {
            return Holdfast.execute(Screen.system(), args);
        } catch (Throwable defect) {
            System.err.println("holdfast: this should not have happened: " + Screen.visible(defect.toString()));
            return ExitCodes.INTERNAL;
        }
    }
}
