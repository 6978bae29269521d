package io.holdfast.redis.protocol;

import io.holdfast.LockException;
import io.holdfast.LockKind;
import io.holdfast.LockStoreException;
import io.holdfast.LockStoreUnfitException;
import io.holdfast.redis.driver.Printable;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisReplyException;
import io.holdfast.redis.settings.RedisSettings;
import io.holdfast.spi.Resource;
import org.jspecify.annotations.Nullable;

/** Turns failures of Redis into messages that say what to do. They never contain a password. */
public final class ErrorMessages {
    private ErrorMessages() {}

    /** The exception of a client that could not be opened. */
    public static LockStoreException connecting(RedisSettings settings, RuntimeException failure) {
        String message = "could not connect: " + Printable.of(opening(settings, failure));
        return isUnfit(failure) || isLasting(failure)
                ? new LockStoreUnfitException(null, "", message, printable(failure), isLasting(failure))
                : new LockStoreException(null, "", message, printable(failure), false);
    }

    /** Whether a server answered and cannot be used as it is; what a failover or time may mend is not among it. */
    public static boolean isUnfit(RuntimeException failure) {
        if (failure instanceof RedisReplyException refused) {
            return switch (refused.error()) {
                case NOPERM, NOAUTH, NO_CLUSTER, NO_DATABASE, UNKNOWN_COMMAND -> true;
                default -> false;
            };
        }
        if (failure instanceof RedisLinkException link) {
            return LinkAdvice.isUnfit(link);
        }
        return failure instanceof RedisUnfitException unfit && !unfit.isPassing();
    }

    /** While opening, nothing was requested yet, so no outcome is unknown. */
    private static String opening(RedisSettings settings, RuntimeException failure) {
        return failure instanceof RedisLinkException link
                ? failure.getMessage() + "; " + LinkAdvice.opening(link)
                : sentence(settings, failure);
    }

    /** What to do about a server that cannot be connected to. */
    public static String remedy(RedisLinkException failure) {
        return LinkAdvice.opening(failure);
    }

    /** The exception for a failed request about one lock. */
    public static RuntimeException with(Resource resource, RedisSettings settings, RuntimeException failure) {
        return with(resource.kind(), resource.name(), settings, failure);
    }

    /** The exception for a failed request about a pattern of names or a client. */
    public static RuntimeException with(String asked, RedisSettings settings, RuntimeException failure) {
        return with(null, asked, settings, failure);
    }

    private static RuntimeException with(
            @Nullable LockKind kind, String lockName, RedisSettings settings, RuntimeException failure) {
        boolean ours = failure instanceof LockException
                || (failure instanceof IllegalArgumentException && !(failure instanceof NumberFormatException))
                || (failure instanceof IllegalStateException && failure.getCause() == null);
        if (ours) {
            return failure;
        }
        String message = "could not ask Redis for '" + lockName + "': " + Printable.of(sentence(settings, failure));
        return isUnfit(failure)
                ? new LockStoreUnfitException(kind, lockName, message, printable(failure), isLasting(failure))
                : new LockStoreException(kind, lockName, message, printable(failure), isLasting(failure));
    }

    /** Escapes the messages of parsers, which quote what they could not read. */
    private static RuntimeException printable(RuntimeException failure) {
        String said = String.valueOf(failure.getMessage());
        if (Printable.of(said).equals(said)) {
            return failure;
        }
        RuntimeException same = new IllegalStateException(Printable.of(failure.toString()));
        same.setStackTrace(failure.getStackTrace());
        return same;
    }

    /** Whether the failure may pass without anybody changing anything. */
    public static boolean isPassing(RuntimeException failure) {
        return failure instanceof RedisLinkException
                || (failure instanceof RedisReplyException refused
                        && refused.error().isPassing());
    }

    /** Whether somebody has to change something first. What a failover may mend is not among it. */
    public static boolean isLasting(RuntimeException failure) {
        if (failure instanceof RedisReplyException refused) {
            return switch (refused.error()) {
                case NOPERM, NOAUTH, WRONGTYPE, NO_CLUSTER, NO_DATABASE, UNKNOWN_COMMAND -> true;
                case OTHER -> refused.reply().startsWith(Scripts.BROKEN_RECORD);
                default -> false;
            };
        }
        return failure instanceof RedisUnfitException unfit && unfit.isLasting();
    }

    private static String sentence(RedisSettings settings, RuntimeException failure) {
        String said = String.valueOf(failure.getMessage());
        if (failure instanceof RedisReplyException refused) {
            return said + "; " + remedy(settings, refused);
        }
        if (LinkAdvice.isNotTrusted(failure)) {
            return said + "; " + LinkAdvice.certificate(failure);
        }
        if (failure instanceof RedisLinkException link && link.isUnsent()) {
            return said
                    + "; nothing was asked for"
                    + (link.isLocal() ? "" : ". Check that the server runs and can be reached");
        }
        if (failure instanceof RedisLinkException) {
            return said
                    + "; nobody knows whether the request was executed. Check that the server runs and can be reached";
        }
        return said;
    }

    /** What to do about an error. */
    public static String remedy(RedisSettings settings, RedisReplyException refused) {
        return switch (refused.error()) {
            case NOPERM -> acl(settings, refused.reply());
            case NOAUTH ->
                "put the right user and password into the URL (redis://user:password@host), or into login(); those of a"
                        + " Sentinel are set with sentinelLogin()";
            case OOM ->
                "the server is out of memory; raise maxmemory. Locks that are held can still be renewed and released";
            case MISCONF ->
                "the server cannot save to disk and refuses writes; free its disk, or CONFIG SET"
                        + " stop-writes-on-bgsave-error no";
            case NOREPLICAS -> "the master has too few replicas to accept writes; bring them up";
            case READONLY, MASTERDOWN -> "this server is a replica now; the master is looked for again";
            case LOADING -> "the server still reads its data; try again when it is up";
            case BUSY -> "another script keeps the server busy; wait, or SCRIPT KILL";
            case CLUSTERDOWN -> "the cluster has lost a part of its slots; see CLUSTER INFO";
            case WRONGTYPE ->
                "a key of another type has the name of a lock; remove it, or use another prefix than '"
                        + settings.prefix() + "'";
            case UNKNOWN_COMMAND -> "this does not look like Redis 6.2 or later; check host and port";
            case NO_DATABASE ->
                "the server has fewer databases than the number at the end of the URL, or database(n), asks for; it has 0"
                        + " to 15 unless 'databases' in its redis.conf says otherwise";
            case NOSCRIPT, MOVED, ASK, NO_CLUSTER, OTHER ->
                refused.reply().startsWith(Scripts.BROKEN_RECORD)
                        ? "something else wrote to it; delete it when nobody holds it"
                        : "see the server's log";
        };
    }

    private static String acl(RedisSettings settings, String reply) {
        if (reply.contains("channel")) {
            return "the user lacks a channel: ACL SETUSER <user> &" + settings.prefix() + ":*";
        }
        if (reply.contains("key")) {
            return "the user lacks the keys: ACL SETUSER <user> ~" + settings.prefix() + ":*";
        }
        int open = reply.indexOf('\'');
        int close = reply.indexOf('\'', open + 1);
        boolean isNamed = open >= 0 && close > open;
        return "the user lacks a command: ACL SETUSER <user> "
                + (isNamed
                        ? "+" + reply.substring(open + 1, close) + "; all that it needs: "
                                + AclRules.text(settings.prefix())
                        : AclRules.text(settings.prefix()));
    }
}
