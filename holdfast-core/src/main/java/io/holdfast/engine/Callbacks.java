package io.holdfast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;

/** Runs what users gave us, on threads of their own. */
final class Callbacks implements Executor {
    private final Executor threads;
    private final Logger logger;

    Callbacks(EngineRuntime runtime, Logger logger) {
        this.threads = runtime.callbacks();
        this.logger = logger;
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    /** Runs an action here and now; what it throws is logged. */
    void guarded(String givenTo, Runnable action) {
        try {
            action.run();
        } catch (Throwable trouble) {
            logger.log(Level.WARNING, "a callback given to " + givenTo + " threw", trouble);
        }
    }
}
