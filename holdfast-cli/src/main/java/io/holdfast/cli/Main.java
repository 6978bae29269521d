package io.holdfast.cli;

/** Where the launcher starts. */
public final class Main {
    private Main() {}

    /** Runs one command and ends with its exit code. */
    public static void main(String[] args) {
        System.exit(Holdfast.execute(Screen.system(), args));
    }
}
