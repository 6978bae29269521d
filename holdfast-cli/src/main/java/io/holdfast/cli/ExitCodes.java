package io.holdfast.cli;

/**
 * What a command ends with. Those of {@code sysexits.h} where they fit, because hardly any program that is run under a
 * lock uses them itself. {@code run} gives back what its command ended with, or 128 and the number of the signal that
 * ended it.
 */
final class ExitCodes {
    static final int OK = 0;

    /** Something that was looked for is not there, or a check failed. */
    static final int NO = 1;

    /** The command line makes no sense. */
    static final int USAGE = 64;

    /** The store cannot be reached, or refuses. */
    static final int BROKEN = 69;

    /** A defect of this program. */
    static final int INTERNAL = 70;

    /** Somebody else has it: try again later. */
    static final int BUSY = 75;

    /** The lock was lost while the command ran. */
    static final int LOST = 76;

    /** As shells say it: found, and not to be run. */
    static final int NOT_EXECUTABLE = 126;

    /** As shells say it: no such command. */
    static final int NOT_FOUND = 127;

    /** As shells say it: ended by a signal, whose number is added. */
    static final int SIGNAL = 128;

    static final int INTERRUPTED = SIGNAL + 2;

    /** As of any program whose reader has gone: ended by PIPE. */
    static final int ABANDONED = SIGNAL + 13;

    private ExitCodes() {}
}
