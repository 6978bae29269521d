package io.holdfast.cli;

import io.holdfast.Finding;
import io.holdfast.LockClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where the locks are: what the commands do with it, whatever it is. Asks nobody before it has to. */
interface Store {
    /** How a command finds its store without an option. */
    String URL_VARIABLE = "HOLDFAST_URL";

    /** A client, to be closed. */
    LockClient connect();

    /** The longest lease that it can guard; empty if any will do. */
    Optional<Duration> leaseLimit();

    /** Everything that is wrong with it, and what is not. */
    List<Finding> examine();

    /** The variables with which a holdfast command that is started from here uses the same store. */
    Map<String, String> environment();
}
