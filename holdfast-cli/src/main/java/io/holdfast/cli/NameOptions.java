package io.holdfast.cli;

import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which lock is meant: a name, and if it is used as several things, as which. */
final class NameOptions {
    @Parameters(index = "0", paramLabel = "NAME", description = "The name of the lock.")
    private String name = "";

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            description = "One of ${COMPLETION-CANDIDATES}. Default: all that NAME is used as.")
    private @Nullable LockKind kind;

    String name() {
        return name;
    }

    /** The name as others wrote it, and harmless. */
    String shown() {
        return "'" + Statuses.visible(name) + "'";
    }

    List<LockStatus> find(LockClient locks) {
        return Statuses.find(locks, name, kind);
    }
}
