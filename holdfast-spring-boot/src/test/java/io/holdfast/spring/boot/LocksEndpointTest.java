package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.memory.MemoryLocks;
import io.holdfast.memory.MemoryStore;
import java.security.Principal;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;

/** What the endpoint shows, and to whom. */
class LocksEndpointTest {
    private final MemoryStore store = new MemoryStore();
    private final LockClient one = MemoryLocks.connect(store);
    private final LockClient two = MemoryLocks.connect(store);
    private final LockClient elsewhere = MemoryLocks.connect(store);
    private final LocksEndpoint endpoint = new LocksEndpoint(
            () -> one, () -> Stream.of(one, two), Show.WHEN_AUTHORIZED, Set.of("operator"), event -> {});

    @AfterEach
    void close() {
        Stream.of(one, two, elsewhere).forEach(LockClient::close);
    }

    /** Somebody who has one role. */
    private record Somebody(String role) implements SecurityContext {
        @Override
        public Principal getPrincipal() {
            return () -> "somebody";
        }

        @Override
        public boolean isUserInRole(String asked) {
            return asked.equals(role);
        }
    }

    @Test
    void names_areShownToThoseWhoMay() {
        try (Lease lease = one.lock("order:secret").acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(shown(new Somebody("operator"))).isEqualTo("order:secret");
            assertThat(shown(new Somebody("guest"))).isEqualTo("order:******");
            assertThat(shown(SecurityContext.NONE)).isEqualTo("order:******");
        }
    }

    private String shown(SecurityContext who) {
        return endpoint.locks(who, null, null, null).locks().get(0).name();
    }

    @Test
    void holdersAndWaiters_areThoseOfThisProcessOrNot() {
        CompletableFuture<?> waiting;
        try (Lease lease = two.lock("order:1").acquire()) {
            assertThat(lease.isValid()).isTrue();
            waiting = elsewhere.lock("order:1").acquireAsync().thenAccept(Lease::close);
            Awaitility.await()
                    .until(() -> one.inspector()
                                    .find(LockKind.LOCK, "order:1")
                                    .orElseThrow()
                                    .waiting()
                            == 1);
            LocksReport.Lock lock = endpoint.locks(SecurityContext.NONE, null, null, null)
                    .locks()
                    .get(0);
            assertThat(lock.holders()).singleElement().satisfies(holder -> {
                assertThat(holder.client().here())
                        .as("the second client of this process")
                        .isTrue();
                assertThat(holder.left()).isPositive();
            });
            assertThat(lock.waiters()).singleElement().satisfies(waiter -> {
                assertThat(waiter.client().here()).isFalse();
                assertThat(waiter.threads()).isOne();
            });
        }
        waiting.join();
    }

    @Test
    void deadlocks_areShownIfAskedFor() {
        LockOptions alone = LockOptions.defaults().owner("secret-1");
        try (Lease lease = one.lock("order:secret", alone).acquire()) {
            CompletableFuture<Lease> again = one.lock("order:secret", alone).acquireAsync();
            assertThat(endpoint.locks(SecurityContext.NONE, null, null, null).deadlocks())
                    .isNull();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(endpoint.locks(SecurityContext.NONE, null, null, true)
                                    .deadlocks())
                            .singleElement()
                            .satisfies(circle -> assertThat(circle.members())
                                    .singleElement()
                                    .satisfies(member -> {
                                        assertThat(member.owner()).isEqualTo("******");
                                        assertThat(member.name()).isEqualTo("order:******");
                                        assertThat(member.holds()).containsExactly("order:******");
                                    })));
            again.cancel(true);
            assertThat(lease.isValid()).isTrue();
        }
    }
}
