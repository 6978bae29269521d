package io.holdfast.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockKind;
import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.ClientView;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class FaultyBackendTest {
    private static final Resource RESOURCE = new Resource(LockKind.LOCK, "order", 1);
    private static final Claim CLAIM = Claim.builder(new ClaimId("client", 1), RESOURCE, Duration.ofSeconds(30))
            .waits(true)
            .label("label")
            .build();
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final StubBackend target = new StubBackend();
    private final FaultScript script = new FaultScript();
    private final ManualRuntime runtime = new ManualRuntime();
    private final FaultyBackend backend = new FaultyBackend(
            target,
            script,
            (task, delay) -> assertThat(runtime.schedule(task, delay.toNanos())).isNotNull());
    private final List<String> heard = new ArrayList<>();

    private final BackendListener listener = new BackendListener() {
        @Override
        public void granted(ClaimId claim, long token, Duration left, long startNanos) {
            heard.add("granted " + claim + ' ' + token);
        }

        @Override
        public void changed(Resource resource) {
            heard.add("changed " + resource.name());
        }

        @Override
        public void missed() {
            heard.add("missed");
        }
    };

    @Test
    void calls_noFault_goThroughUncounted() {
        assertThat(backend.attempt(CLAIM, PATIENCE)).isEqualTo(new AttemptResult.Granted(7, CLAIM.lease()));
        assertThat(backend.release(CLAIM)).isTrue();
        assertThat(backend.renew(List.of(new Renewal(CLAIM, PATIENCE)))).hasSize(1);
        assertThat(backend.inspect(RESOURCE)).isEmpty();
        assertThat(backend.list("")).isEmpty();
        assertThat(backend.requestTimeout()).isEqualTo(StubBackend.REQUEST_TIMEOUT);
        assertThat(backend.longestLease()).contains(StubBackend.LONGEST_LEASE);
        assertThat(backend.raisesTokens()).isTrue();
        assertThat(new FaultyBackend(new StubBackend(false), script, (task, delay) -> {}).raisesTokens())
                .isFalse();
        backend.close();
        assertThat(target.executed).containsExactly("attempt", "release", "renew", "inspect", "list", "close");
        assertThat(backend.injected()).isZero();
    }

    @Test
    void whatAStoreMayTell_goesThrough() {
        ClientView client = new ClientView("host", 7, "name", List.of());
        FaultyBackend over = new FaultyBackend(
                new ForwardingBackend(target) {
                    @Override
                    public boolean revoke(Claim claim) {
                        return target.executed.add("revoke");
                    }

                    @Override
                    public Optional<ClientView> client(String clientId) {
                        return Optional.of(client);
                    }

                    @Override
                    public Optional<String> storeId() {
                        return Optional.of("store");
                    }

                    @Override
                    public String part(Resource resource) {
                        return "part";
                    }

                    @Override
                    public OptionalLong tokenNow() {
                        return OptionalLong.of(5);
                    }
                },
                script,
                (task, delay) -> {});

        assertThat(over.revoke(CLAIM)).isTrue();
        assertThat(target.executed).containsExactly("revoke");
        assertThat(over.client("client")).contains(client);
        assertThat(over.storeId()).contains("store");
        assertThat(over.part(RESOURCE)).isEqualTo("part");
        assertThat(over.tokenNow()).hasValue(5);
        script.cut();
        assertThatThrownBy(() -> over.revoke(CLAIM)).isInstanceOf(InjectedFaultException.class);
    }

    @Test
    void lostReply_request_isExecutedAndThrows() {
        script.once(Call.Attempt.class, new Fault.LostReply());
        assertThatThrownBy(() -> backend.attempt(CLAIM, PATIENCE)).isInstanceOf(InjectedFaultException.class);
        assertThat(target.executed).containsExactly("attempt");
        assertThat(backend.injected(Fault.LostReply.class)).isEqualTo(1);
        assertThat(backend.injected()).isEqualTo(1);
    }

    @Test
    void down_anyRequest_isNotExecutedAndThrows() {
        script.cut();
        assertThatThrownBy(() -> backend.attempt(CLAIM, PATIENCE)).isInstanceOf(InjectedFaultException.class);
        assertThatThrownBy(() -> backend.release(CLAIM)).isInstanceOf(InjectedFaultException.class);
        assertThatThrownBy(() -> backend.renew(List.of())).isInstanceOf(InjectedFaultException.class);
        assertThatThrownBy(() -> backend.inspect(RESOURCE)).isInstanceOf(InjectedFaultException.class);
        assertThatThrownBy(() -> backend.list("")).isInstanceOf(InjectedFaultException.class);
        assertThat(target.executed).isEmpty();
        assertThat(backend.injected(Fault.Down.class)).isEqualTo(5);
    }

    @Test
    void late_request_throwsNowAndIsExecutedLater() {
        script.once(Call.Release.class, new Fault.Late(Duration.ofMillis(500)));
        assertThatThrownBy(() -> backend.release(CLAIM)).isInstanceOf(InjectedFaultException.class);
        runtime.advance(Duration.ofMillis(499));
        assertThat(target.executed).isEmpty();
        runtime.advance(Duration.ofMillis(1));
        assertThat(target.executed).containsExactly("release");
    }

    @Test
    void late_longerThanTheRequestTimeout_isExecutedAtTheRequestTimeout() {
        script.once(Call.Attempt.class, new Fault.Late(Duration.ofHours(1)));
        assertThatThrownBy(() -> backend.attempt(CLAIM, PATIENCE)).isInstanceOf(InjectedFaultException.class);
        runtime.advance(StubBackend.REQUEST_TIMEOUT);
        assertThat(target.executed).containsExactly("attempt");
    }

    @Test
    void duplicate_request_isExecutedNowAndLater() {
        script.once(Call.Attempt.class, new Fault.Duplicate(Duration.ofHours(1)));
        assertThat(backend.attempt(CLAIM, PATIENCE)).isInstanceOf(AttemptResult.Granted.class);
        assertThat(target.executed).containsExactly("attempt");
        runtime.advance(StubBackend.REQUEST_TIMEOUT);
        assertThat(target.executed).containsExactly("attempt", "attempt");
    }

    @Test
    void refusal_attempt_isAnsweredWithoutTheStore() {
        script.always(call -> true, new Fault.Refusal("guarded", PATIENCE));
        assertThat(backend.attempt(CLAIM, PATIENCE)).isEqualTo(new AttemptResult.Refused("guarded", PATIENCE));
        assertThatThrownBy(() -> backend.release(CLAIM)).isInstanceOf(InjectedFaultException.class);
        assertThat(target.executed).isEmpty();
    }

    @Test
    void slowReply_request_isExecutedFirst() {
        script.once(Call.Attempt.class, new Fault.SlowReply(() -> target.executed.add("waited")));
        assertThat(backend.attempt(CLAIM, PATIENCE)).isInstanceOf(AttemptResult.Granted.class);
        assertThat(target.executed).containsExactly("attempt", "waited");
    }

    @Test
    void forget_request_isExecutedAfterwards() {
        script.once(Call.Attempt.class, new Fault.Forget(() -> target.executed.add("forgot")));
        assertThat(backend.attempt(CLAIM, PATIENCE)).isInstanceOf(AttemptResult.Granted.class);
        assertThat(target.executed).containsExactly("forgot", "attempt");
    }

    @Test
    void messages_everyFault_areLostLateOrDoubled() {
        backend.start("client", listener);
        target.listener.granted(CLAIM.id(), 7, PATIENCE, 0);
        script.once(Call.Granted.class, new Fault.Down());
        target.listener.granted(CLAIM.id(), 8, PATIENCE, 0);
        script.once(Call.Changed.class, new Fault.Late(Duration.ofHours(1)));
        target.listener.changed(RESOURCE);
        script.once(Call.Missed.class, new Fault.Duplicate(PATIENCE));
        target.listener.missed();
        assertThat(heard).containsExactly("granted client:1 7", "missed");

        runtime.advance(PATIENCE);
        assertThat(heard).containsExactly("granted client:1 7", "missed", "missed");
        runtime.advance(Duration.ofHours(1));
        assertThat(heard).endsWith("changed order").hasSize(4);
        assertThat(backend.injected()).isEqualTo(3);
    }

    @Test
    void late_storeThrows_isSwallowed() {
        FaultyBackend closed = new FaultyBackend(
                new FaultyBackend(target, call -> new Fault.Down(), (task, delay) -> task.run()),
                call -> new Fault.Late(PATIENCE),
                (task, delay) -> task.run());
        assertThatThrownBy(() -> closed.release(CLAIM)).hasMessageContaining("Late");
        assertThat(target.executed).isEmpty();
    }
}
