package io.holdfast.redis.doctor;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisConnection;
import io.holdfast.redis.driver.RedisDriver;
import io.holdfast.redis.driver.RedisError;
import io.holdfast.redis.driver.RedisReplyException;
import io.holdfast.redis.protocol.AclRules;
import io.holdfast.redis.protocol.Bytes;
import io.holdfast.redis.protocol.Replies;
import io.holdfast.redis.settings.RedisSettings;
import io.holdfast.redis.settings.RedisUrl;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds all that the user may not do, at once: a server tells only the first, and only when it is needed. */
final class Permissions {
    private final RedisUrl url;
    private final RedisSettings settings;
    private final RedisDriver driver;
    private final RedisAddress server;
    private final RedisConnection connection;

    Permissions(
            RedisUrl url, RedisSettings settings, RedisDriver driver, RedisAddress server, RedisConnection connection) {
        this.url = url;
        this.settings = settings;
        this.driver = driver;
        this.server = server;
        this.connection = connection;
    }

    /** Whether everything is allowed that the other examinations need. */
    boolean examine(Findings findings) {
        List<AclRules.Rule> rules = AclRules.of(settings.prefix()).stream()
                .filter(rule -> !rule.cluster() || url.mode() == RedisUrl.Mode.CLUSTER)
                .toList();
        Set<String> missing = new LinkedHashSet<>();
        boolean usable = true;
        for (AclRules.Rule rule : rules) {
            String refusal = rule.subscribes() ? subscribed(rule) : asked(connection, rule);
            if (refusal != null) {
                missing.add(
                        refusal.contains("channel")
                                ? "&" + settings.prefix() + ":*"
                                : refusal.contains(" key") ? "~" + settings.prefix() + ":*" : rule.rule());
                usable &= rule.optional();
            }
        }
        if (missing.isEmpty()) {
            findings.ok(server, "permissions", user() + "may do everything that clients do");
            return true;
        }
        String lacks = user() + "lacks " + String.join(" ", missing);
        String remedy = "ACL SETUSER <user> " + String.join(" ", missing);
        if (usable) {
            findings.warn(server, "permissions", lacks + ": locks work, and something beside them does not", remedy);
        } else {
            findings.fail(server, "permissions", lacks, remedy);
        }
        return usable;
    }

    /** What the server said about the user's rights, or null. */
    private @Nullable String asked(RedisConnection where, AclRules.Rule rule) {
        try {
            where.call(settings.requestTimeout(), Bytes.command(rule.probe().toArray(String[]::new)));
            return null;
        } catch (RedisReplyException refused) {
            return refused.error() == RedisError.NOPERM ? refused.reply() : null;
        }
    }

    /** A connection that has subscribed can do nothing else. */
    private @Nullable String subscribed(AclRules.Rule rule) {
        try (RedisConnection own = driver.open(server, settings.requestTimeout())) {
            return asked(own, rule);
        }
    }

    private String user() {
        try {
            return "as " + Replies.string(connection.call(settings.requestTimeout(), Bytes.command("ACL", "WHOAMI")))
                    + ", ";
        } catch (RedisReplyException forbidden) {
            return "as a user that may not ask its name, ";
        }
    }
}
