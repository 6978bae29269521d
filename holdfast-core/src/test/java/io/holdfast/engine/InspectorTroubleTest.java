package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockClient;
import io.holdfast.LockInspector;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.LockStoreException;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whatever a backend throws when it is asked for a view, the inspector's caller gets what its Javadoc says. */
class InspectorTroubleTest {

    /** A store that throws what its own driver threw. */
    private static final class BrokenBackend implements LockBackend {
        private boolean listsFirst;

        private static IllegalStateException broken() {
            return new IllegalStateException("the pool is closed");
        }

        @Override
        public void start(String clientId, BackendListener listener) {}

        @Override
        public AttemptResult attempt(Claim claim, Duration patience) {
            throw broken();
        }

        @Override
        public boolean release(Claim claim) {
            throw broken();
        }

        @Override
        public List<RenewResult> renew(List<Renewal> renewals) {
            throw broken();
        }

        @Override
        public Optional<ResourceView> inspect(Resource resource) {
            throw broken();
        }

        @Override
        public Stream<ResourceView> list(String namePrefix) {
            if (!listsFirst) {
                throw broken();
            }
            return Stream.of(new ResourceView(new Resource(LockKind.LOCK, "a", 1), List.of(), List.of()))
                    .peek(view -> {
                        throw broken();
                    });
        }

        @Override
        public Duration requestTimeout() {
            return Duration.ofSeconds(1);
        }

        @Override
        public void close() {}
    }

    private final BrokenBackend backend = new BrokenBackend();
    private final LockClient client = LockEngine.start(backend, LockOptions.defaults(), new TestRuntime());
    private final LockInspector inspector = client.inspector();

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void find_backendThrows_lockStoreException() {
        assertThatThrownBy(() -> inspector.find(LockKind.LOCK, "a"))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("could not look at 'a'")
                .hasMessageContaining("the pool is closed")
                .hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void list_backendThrows_lockStoreException() {
        assertThatThrownBy(() -> inspector.list("order:"))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("'order:'")
                .hasMessageContaining("the pool is closed");
    }

    @Test
    void list_backendThrowsWhileTheListIsRead_lockStoreException() {
        backend.listsFirst = true;

        assertThatThrownBy(() -> {
                    try (Stream<?> all = inspector.list("")) {
                        all.forEach(each -> {});
                    }
                })
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("the pool is closed");
    }
}
