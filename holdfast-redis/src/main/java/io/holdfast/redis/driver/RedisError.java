package io.holdfast.redis.driver;

import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * What an error reply of Redis means. A command's error begins with a code word; an error in a script has that word
 * later in the text, and some have only a sentence.
 *
 * @since 0.1
 */
public enum RedisError {
    /** The server does not know the script. */
    NOSCRIPT("^NOSCRIPT\\b"),
    /** The slot belongs to another server. */
    MOVED("^MOVED\\b"),
    /** The slot is moving to another server, and the key may have moved already. */
    ASK("^ASK\\b"),
    /** The user may not do that. */
    NOPERM("\\bNOPERM\\b|ACL failure|can't run this command"),
    /** The user did not log in, or the password is wrong. */
    NOAUTH("^NOAUTH\\b|^WRONGPASS\\b|invalid password|without any password"),
    /** The server is out of memory and refuses commands that need more. */
    OOM("\\bOOM\\b"),
    /** The server cannot save to disk and refuses writes. */
    MISCONF("\\bMISCONF\\b"),
    /** The master has too few replicas to write. */
    NOREPLICAS("\\bNOREPLICAS\\b"),
    /** The server is a replica. */
    READONLY("\\bREADONLY\\b"),
    /** The server is a replica that has lost its master. */
    MASTERDOWN("^MASTERDOWN\\b"),
    /** The server is still loading its data. */
    LOADING("^LOADING\\b"),
    /** A script keeps the server busy. */
    BUSY("^BUSY\\b"),
    /** A part of the cluster is missing. */
    CLUSTERDOWN("^CLUSTERDOWN\\b"),
    /** The key has another type. */
    WRONGTYPE("\\bWRONGTYPE\\b"),
    /** The server is not part of a cluster. */
    NO_CLUSTER("cluster support disabled"),
    /** The server has no database of this number. */
    NO_DATABASE("DB index is out of range"),
    /** The server does not know the command, or does not speak the protocol. */
    UNKNOWN_COMMAND("unknown command|Protocol error"),
    /** Something else. */
    OTHER("");

    private final Pattern pattern;

    RedisError(String pattern) {
        this.pattern = Pattern.compile(pattern);
    }

    /**
     * Finds the meaning of an error.
     *
     * @param reply an error, as the server wrote it
     * @return the first kind that matches
     */
    public static RedisError of(String reply) {
        int blank = reply.indexOf(' ');
        String code = blank < 0 ? reply : reply.substring(0, blank);
        String searched = code.matches("[A-Z]+") && !code.equals("ERR") ? code : reply; // the rest may quote anything
        return Arrays.stream(values())
                .filter(each -> each.pattern.matcher(searched).find())
                .findFirst()
                .orElse(OTHER);
    }

    /**
     * Tells whether the error may pass without anybody changing anything.
     *
     * @return whether it passes by itself
     */
    public boolean isPassing() {
        return this == LOADING || this == BUSY || this == MISCONF || this == OOM || this == MASTERDOWN;
    }
}
