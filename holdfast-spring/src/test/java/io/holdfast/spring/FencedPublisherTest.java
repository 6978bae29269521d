package io.holdfast.spring;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Apart from the other checks at the start, which run without Reactor, too. */
class FencedPublisherTest {
    static class Shop {
        @Locked(value = "a", fenced = true)
        public Mono<String> ship() {
            return Mono.just("");
        }
    }

    @Test
    void fenced_onAPublisher_isRefused() {
        StartChecksTest.refused(Shop.class, "fenced", "works on no thread");
    }
}
