package io.holdfast.cli;

import io.holdfast.LockClient;
import io.holdfast.LockStatus;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Who holds what. */
@Command(name = "ls", description = "Lists locks.", mixinStandardHelpOptions = true)
final class ListCommand implements Callable<Integer> {
    private final Screen screen;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    ListCommand(Screen screen) {
        this.screen = screen;
    }

    @Override
    public Integer call() {
        try (LockClient locks = store.connect(screen);
                Stream<LockStatus> all = locks.inspector().list("")) {
            all.forEach(each -> screen.line(each.toString()));
        }
        return ExitCodes.OK;
    }
}
