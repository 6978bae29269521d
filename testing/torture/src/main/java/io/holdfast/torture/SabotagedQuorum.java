package io.holdfast.torture;

import io.holdfast.LockClient;
import io.holdfast.Safety;
import io.holdfast.quorum.QuorumLocks;
import io.holdfast.redis.RedisLocks;
import io.holdfast.redis.RedisLocksBuilder;
import io.holdfast.redis.RedisMember;
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
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Opens a client on a quorum, or on one that is none: a control. */
final class SabotagedQuorum {
    private SabotagedQuorum() {}

    static LockClient connect(List<String> urls, String prefix, Sabotage sabotage) {
        return switch (sabotage) {
            case NONE, APART ->
                QuorumSite.connection(urls)
                        .eachNode(node -> QuorumSite.configured(node).prefix(prefix))
                        .connect();
            case ONE_VOTE ->
                QuorumLocks.over(IntStream.range(0, urls.size())
                        .mapToObj(node -> voter(node, urls))
                        .toList());
            case NO_GUARD ->
                QuorumLocks.over(urls.stream()
                        .map(url -> node(url).safety(Safety.AVAILABLE).newBackend())
                        .toList());
        };
    }

    private static RedisLocksBuilder node(String url) {
        return QuorumSite.configured(RedisLocks.builder(url)).prefix(Site.PREFIX);
    }

    /** The first is what it should be. */
    private static LockBackend voter(int node, List<String> urls) {
        LockBackend member = RedisMember.of(node(urls.get(node)).longestLease(Subject.LONGEST_LEASE), urls.size())
                .newBackend();
        return node == 0 ? member : new YesMan(member);
    }

    /** A node that grants whatever it is asked for. */
    private static final class YesMan implements LockBackend {
        private final LockBackend node;

        YesMan(LockBackend node) {
            this.node = node;
        }

        @Override
        public void start(String clientId, BackendListener listener) {
            node.start(clientId, listener);
        }

        @Override
        public AttemptResult attempt(Claim claim, Duration patience) {
            long token = Math.max(claim.leastToken(), node.tokenNow().orElse(1));
            return new AttemptResult.Granted(token, claim.lease());
        }

        @Override
        public boolean release(Claim claim) {
            return true;
        }

        @Override
        public List<RenewResult> renew(List<Renewal> renewals) {
            return renewals.stream()
                    .<RenewResult>map(renewal -> new RenewResult.Renewed(renewal.lease()))
                    .toList();
        }

        @Override
        public Optional<ResourceView> inspect(Resource resource) {
            return node.inspect(resource);
        }

        @Override
        public Stream<ResourceView> list(String namePrefix) {
            return node.list(namePrefix);
        }

        @Override
        public Optional<String> storeId() {
            return node.storeId();
        }

        @Override
        public OptionalLong tokenNow() {
            return node.tokenNow();
        }

        @Override
        public Duration requestTimeout() {
            return node.requestTimeout();
        }

        @Override
        public void close() {
            node.close();
        }
    }
}
