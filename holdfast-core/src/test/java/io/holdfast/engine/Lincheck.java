package io.holdfast.engine;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/** How the engine's classes are searched. */
final class Lincheck {
    /** Ten seconds, if nothing is said, are less than a crowded machine may stand still. */
    private static final long HUNG_AFTER_MILLIS = 120_000;

    private Lincheck() {}

    static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .invocationTimeout$lincheck(HUNG_AFTER_MILLIS); // public, whatever it is called
    }
}
