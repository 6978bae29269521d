package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the commands do on every store. */
abstract class StoreCommands {
    abstract String url();

    /** A client of the same store whose name is shop. */
    abstract LockClient locks();

    /** Whether somebody who watches can tell an end by 'break' from one by the holder. */
    boolean remembersWhoEnded() {
        return true;
    }

    final Called at(String... args) {
        return Called.holdfast(
                Stream.concat(Stream.of(args), Stream.of("--url", url())).toArray(String[]::new));
    }

    private Cli run(String... args) {
        return Cli.with(url()).start(args);
    }

    @Test
    void run_twoProcesses_excludeEachOther() {
        try (Cli first = run("run", "two", "--", "sh", "-c", "echo in $HOLDFAST_URL; read line; echo out")) {
            first.awaitOut("in " + url());
            try (Cli second = run("run", "two", "--lease", "5s", "--", "echo", "after");
                    Cli third = run("run", "two", "--wait", "0s", "--", "echo", "never")) {
                assertThat(third.exitCode()).isEqualTo(ExitCodes.BUSY);
                assertThat(third.err()).hasLineCount(1).contains("'two' is busy, held ", "/" + first.pid());
                await().atMost(Cli.PATIENCE).until(() -> RunIT.isWaitedFor(locks(), "two"));
                assertThat(at("show", "two").out()).containsPattern("echo after +1 +[0-9.]+m?s ");
                first.type("go\n");
                assertThat(first.exitCode()).isZero();
                assertThat(second.exitCode()).isZero();
                assertThat(second.out()).isEqualTo("after\n");
            }
        }
    }

    @Test
    void look_heldLock_isShownWatchedAndBroken() {
        Lease lease = locks().lock("order:42", LockOptions.defaults().label("packing"))
                .acquire();
        try (Cli watch = run("watch", "order:42")) {
            watch.awaitOut("acquired");
            assertThat(at("ls").out()).contains("order:42", "shop@", "packing");
            assertThat(at("show", "order:42").out()).contains(locks().id(), "packing");
            Called broken = at("break", "order:42", "--yes");
            assertThat(broken.code()).isZero();
            assertThat(broken.out()).startsWith("taken: lock 'order:42' from shop@");
            watch.awaitOut(remembersWhoEnded() ? "broken" : "released");
        }
        await().until(() -> !lease.isValid());
    }
}
