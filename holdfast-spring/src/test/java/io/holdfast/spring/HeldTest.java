package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@link Held} parameters of publishers, and of calls past the proxy. */
class HeldTest {

    static class Shop {
        @Locked("order:{id}")
        public String ship(String id, @Held @Nullable Lease lease) {
            return lease == null ? "not locked" : lease.name();
        }

        public String pastTheProxy(String id) {
            return ship(id, null);
        }

        @Locked("order:{id}")
        public Mono<Boolean> mono(String id, @Held @Nullable Lease lease) {
            return CurrentLocks.mono().map(held -> held.lease("order:" + id) == lease && lease.isValid());
        }

        @Locked("order:{ids}")
        public Flux<String> flux(List<String> ids, @Held @Nullable List<Lease> leases) {
            return Flux.fromStream(
                    leases == null ? Stream.empty() : leases.stream().map(Lease::name));
        }
    }

    @Test
    void call_pastTheProxy_seesThatNothingIsLocked() {
        try (TestLocks locks = new TestLocks(Shop.class)) {
            assertThat(locks.bean(Shop.class).ship("1", null)).isEqualTo("order:1");
            assertThat(locks.bean(Shop.class).pastTheProxy("1")).isEqualTo("not locked");
        }
    }

    @Test
    void publisher_eachSubscriptionHasItsLease() {
        try (TestLocks locks = new TestLocks(Shop.class)) {
            Mono<Boolean> mono = locks.bean(Shop.class).mono("1", null);
            assertThat(mono.block()).isTrue();
            assertThat(mono.block()).as("another lease").isTrue();
            assertThat(locks.bean(Shop.class)
                            .flux(List.of("b", "a"), null)
                            .collectList()
                            .block())
                    .containsExactly("order:a", "order:b");
        }
    }
}
