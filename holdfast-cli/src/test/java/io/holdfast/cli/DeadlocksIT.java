package io.holdfast.cli;

import static io.holdfast.cli.Called.holdfast;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.redis.RedisLocks;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.redis.RedisVersion;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Deadlocks at the prompt. */
@Tag("integration")
class DeadlocksIT {

    @AutoClose
    private RedisServer server;

    @BeforeEach
    void start() {
        server = RedisServer.start(RedisVersion.V7_0);
    }

    private LockClient client(String name) {
        return RedisLocks.builder(server.uri())
                .clientName(name)
                .deadlockDelay(Duration.ofMillis(250))
                .connect();
    }

    private Called at(String... args) {
        String[] all = new String[args.length + 2];
        System.arraycopy(args, 0, all, 0, args.length);
        all[args.length] = "--url";
        all[args.length + 1] = server.uri();
        return holdfast(all);
    }

    @Test
    void deadlocks_none_saysSo() {
        try (LockClient shop = client("shop");
                Lease held = shop.lock("account:7").acquire()) {
            held.ensureValid();
            assertThat(at("deadlocks").out()).isEqualTo("nobody waits in a circle\n");
            assertThat(at("deadlocks").code()).isZero();
            assertThat(at("deadlocks", "--json").out()).isEqualTo("[]\n");
            assertThat(at("deadlocks", "--watch", "--interval", "1ms").code()).isEqualTo(ExitCodes.USAGE);
        }
    }

    @Test
    void deadlocks_twoProcesses_endsWithOne_andShowNamesIt() {
        LockOptions transfer = LockOptions.defaults().owner("transfer-3");
        LockOptions refund = LockOptions.defaults().owner("refund-1");
        try (LockClient payments = client("payments");
                LockClient refunds = client("refunds");
                Lease seven = payments.lock("account:7", transfer).acquire();
                Lease nineteen = refunds.lock("account:19", refund).acquire()) {
            CompletableFuture<Lease> one = payments.lock("account:19", transfer).acquireAsync();
            CompletableFuture<Lease> two = refunds.lock("account:7", refund).acquireAsync();

            Called found = at("deadlocks");
            for (int i = 0; i < 20 && found.code() == 0; i++) { // they wait for too short a time at first
                found = at("deadlocks");
            }
            assertThat(found.code()).isEqualTo(ExitCodes.NO);
            assertThat(found.lines()).hasSize(3);
            assertThat(found.lines().get(0)).isEqualTo("deadlock: these wait for each other");
            assertThat(found.out())
                    .contains("transfer-3 (certain) holds 'account:7' (token " + seven.token() + ") and waits")
                    .contains("refund-1 (certain) holds 'account:19' (token " + nineteen.token() + ") and waits")
                    .contains("payments@", "refunds@");
            assertThat(at("deadlocks", "--json").out())
                    .startsWith("[{\"certain\":true,\"members\":[")
                    .contains("\"owner\":\"transfer-3\"", "\"name\":\"account:19\"", "\"kind\":\"lock\"")
                    .contains("\"holds\":[{\"name\":\"account:7\",\"kind\":\"lock\",\"token\":" + seven.token() + "}]");
            assertThat(at("show", "account:7").out()).contains("deadlock: these wait for each other", "transfer-3");
            assertThat(at("show", "account:7", "--json").out()).contains("\"deadlocks\":[{\"certain\":true");

            one.cancel(true);
            two.cancel(true);
        }
    }
}
