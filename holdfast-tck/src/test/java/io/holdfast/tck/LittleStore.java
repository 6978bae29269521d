package io.holdfast.tck;

import io.holdfast.spi.AttemptResult;
import io.holdfast.spi.BackendListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.RenewResult;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** One holder for each name and no line, as short as can be; right or wrong about clocks. */
final class LittleStore implements BackendFixture {

    /** Whose wall clock it looks at. */
    enum Whose {
        STORE,
        CLIENT_FOR_LEASES,
        CLIENT_FOR_TOKENS
    }

    private record Holder(Claim claim, long token, long untilMillis) {}

    private final Whose whose;
    private final Map<String, Holder> holders = new HashMap<>();
    private final Map<String, Long> tokens = new HashMap<>();

    LittleStore(Whose whose) {
        this.whose = whose;
    }

    @Override
    public boolean keepsLine() {
        return false;
    }

    @Override
    public LockBackend newBackend(TimeSource clocks) {
        return new Client(
                whose == Whose.CLIENT_FOR_LEASES ? clocks : TimeSource.system(),
                whose == Whose.CLIENT_FOR_TOKENS ? clocks : TimeSource.system());
    }

    @Override
    public void close() {}

    private final class Client implements LockBackend {
        private final TimeSource leases;
        private final TimeSource tokenClock;

        Client(TimeSource leases, TimeSource tokenClock) {
            this.leases = leases;
            this.tokenClock = tokenClock;
        }

        @Override
        public void start(String clientId, BackendListener listener) {}

        private Optional<Holder> holder(Resource resource) {
            return Optional.ofNullable(holders.get(resource.name()))
                    .filter(holder -> holder.untilMillis > leases.wallMillis());
        }

        private Optional<Holder> mine(Claim claim) {
            return holder(claim.resource()).filter(holder -> holder.claim.id().equals(claim.id()));
        }

        private void hold(Claim claim, long token, Duration lease) {
            long untilMillis = leases.wallMillis() + lease.toMillis() + 1;
            holders.put(claim.resource().name(), new Holder(claim, token, untilMillis));
        }

        private long nextToken(Claim claim) {
            String name = claim.resource().name();
            long clock = tokenClock.wallMillis() * 1_000;
            long token = whose == Whose.CLIENT_FOR_TOKENS ? clock : Math.max(clock, tokens.getOrDefault(name, 0L) + 1);
            tokens.put(name, token + claim.tokens() - 1);
            return token;
        }

        @Override
        public AttemptResult attempt(Claim claim, Duration patience) {
            synchronized (holders) {
                Optional<Holder> holder = holder(claim.resource());
                if (holder.isPresent() && mine(claim).isEmpty()) {
                    return new AttemptResult.Busy(Duration.ofMillis(10));
                }
                long token = holder.map(Holder::token).orElseGet(() -> nextToken(claim));
                hold(claim, token, claim.lease());
                return new AttemptResult.Granted(token, claim.lease());
            }
        }

        @Override
        public boolean release(Claim claim) {
            synchronized (holders) {
                return mine(claim).isPresent()
                        && holders.remove(claim.resource().name()) != null;
            }
        }

        @Override
        public List<RenewResult> renew(List<Renewal> renewals) {
            synchronized (holders) {
                return renewals.stream().map(this::renewed).toList();
            }
        }

        private RenewResult renewed(Renewal renewal) {
            Optional<Holder> held = mine(renewal.claim());
            held.ifPresent(holder -> hold(renewal.claim(), holder.token, renewal.lease()));
            return held.isPresent() ? new RenewResult.Renewed(renewal.lease()) : new RenewResult.Gone();
        }

        @Override
        public Optional<ResourceView> inspect(Resource resource) {
            synchronized (holders) {
                return holder(resource).map(holder -> new ResourceView(resource, List.of(shown(holder)), List.of()));
            }
        }

        private ResourceView.Holder shown(Holder holder) {
            Claim claim = holder.claim;
            Duration left = Duration.ofMillis(holder.untilMillis - 1 - leases.wallMillis());
            return new ResourceView.Holder(claim.id(), 1, holder.token, left, claim.label());
        }

        @Override
        public Stream<ResourceView> list(String namePrefix) {
            return Stream.empty();
        }

        @Override
        public Duration requestTimeout() {
            return Duration.ofSeconds(1);
        }

        @Override
        public void close() {}
    }
}
