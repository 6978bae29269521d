package io.holdfast.redis.protocol;

import io.holdfast.redis.driver.RedisLinkException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLPeerUnverifiedException;

/** Why there is no connection, and what to do: mostly it is about TLS, and the library's words do not say so. */
final class LinkAdvice {
    /** What Jedis and Lettuce say about an answer that is not in the protocol of Redis. */
    private static final Pattern NO_REDIS = Pattern.compile("Unknown reply|Invalid first byte");

    /** The same, and the first byte is that of an alert: whoever answers speaks TLS. */
    private static final Pattern ALERT =
            Pattern.compile("Unknown reply: (\\u0015|\\\\u0015)|Invalid first byte: 21\\b");

    /** A server without TLS does not understand a greeting with it: it answers in plain text, or waits for more. */
    private static final Pattern NO_TLS =
            Pattern.compile("Unsupported or unrecognized SSL message|not an SSL/TLS record");

    private static final Pattern SILENT = Pattern.compile("TLS handshake|handshake timed out");

    private static final Pattern CLOSED =
            Pattern.compile("Unexpected end of stream|Connection reset|Connection closed prematurely|Broken pipe");

    /** What was plain text for a server with TLS may be the beginning of more. */
    private static final Pattern MUTE = Pattern.compile("Read timed out|has not yet answered");

    private LinkAdvice() {}

    /** Whether a server answered and cannot be used as it is. */
    static boolean isUnfit(RedisLinkException failure) {
        return isNoRedis(failure) || isNotTrusted(failure) || found(NO_TLS, failure);
    }

    static boolean isNoRedis(RedisLinkException failure) {
        return found(NO_REDIS, failure);
    }

    static boolean isNotTrusted(Throwable failure) {
        return find(failure, CertificateException.class) || find(failure, SSLPeerUnverifiedException.class);
    }

    /** For whoever opens a connection. */
    static String opening(RedisLinkException failure) {
        if (isNotTrusted(failure)) {
            return certificate(failure);
        }
        if (found(NO_TLS, failure)) {
            return "what listens there does not speak TLS; use redis:// instead of rediss://, or the server's port for"
                    + " TLS";
        }
        if (found(SILENT, failure)) {
            return "if that port is without TLS, use redis:// instead of rediss://, else check that the server runs";
        }
        if (found(ALERT, failure)) {
            return "what listens there speaks TLS; use rediss:// instead of redis://, or the server's port without TLS";
        }
        if (isNoRedis(failure)) {
            return "what answers there is no Redis, or wants TLS (rediss://)";
        }
        if (found(CLOSED, failure)) {
            return "it was closed without an answer; if that port is for TLS, use rediss:// instead of redis://, else"
                    + " see the server's log";
        }
        if (found(MUTE, failure)) {
            return "it does not answer: see whether the server stands still; if that port is without TLS, use redis://"
                    + " instead of rediss://; if that port is for TLS, use rediss:// instead of redis://";
        }
        return "check host and port, and that the server runs and can be reached";
    }

    /** For certificates that are refused. */
    static String certificate(Throwable failure) {
        if (find(failure, CertificateExpiredException.class)) {
            return "its certificate has expired; renew it, and see whether the clock here is right";
        }
        if (find(failure, CertificateNotYetValidException.class)) {
            return "its certificate is not valid yet; see whether the clock here is right";
        }
        if (find(failure, CertPathBuilderException.class) || find(failure, CertPathValidatorException.class)) {
            return "its certificate is signed by an authority that this Java does not know. Trust it with tlsContext(),"
                    + " or put the authority into a trust store that -Djavax.net.ssl.trustStore=FILE names (for a"
                    + " program that is started by others, in JDK_JAVA_OPTIONS)";
        }
        return "its certificate is for another host. Use a name or address that is in the certificate, or have that"
                + " host added to it";
    }

    private static boolean found(Pattern pattern, Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (pattern.matcher(String.valueOf(cause.getMessage())).find()) {
                return true;
            }
        }
        return false;
    }

    private static boolean find(Throwable failure, Class<? extends Throwable> type) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }
}
