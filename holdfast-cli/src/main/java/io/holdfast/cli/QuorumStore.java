package io.holdfast.cli;

import io.holdfast.Finding;
import io.holdfast.LockClient;
import io.holdfast.quorum.QuorumLocksBuilder;
import io.holdfast.redis.RedisLocksBuilder;
import io.holdfast.redis.RedisMember;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A majority of servers.
 *
 * @param nodes each of them by itself, in the order of the URLs
 */
record QuorumStore(List<String> urls, QuorumLocksBuilder builder, List<RedisLocksBuilder> nodes) implements Store {
    @Override
    public LockClient connect() {
        return builder.connect();
    }

    @Override
    public Optional<Duration> leaseLimit() {
        return Optional.of(builder.leaseLimit());
    }

    @Override
    public List<Finding> examine() {
        List<Finding> findings = new ArrayList<>();
        nodes.forEach(node -> findings.addAll(RedisMember.of(node, nodes.size()).examine()));
        return findings;
    }

    @Override
    public Map<String, String> environment() {
        return Map.of(URL_VARIABLE, String.join(",", urls));
    }
}
