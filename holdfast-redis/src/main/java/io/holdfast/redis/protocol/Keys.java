package io.holdfast.redis.protocol;

import io.holdfast.LockKind;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How names and claims are written in Redis.
 *
 * <p>A record is {@code prefix:kind:{name}}. In a name, percent, braces and control characters are written as percent
 * and two digits, so that nothing in it can move the key to another slot. A claim is {@code client:sequence:label},
 * without blanks for the same reason.
 */
public final class Keys {
    private static final String HEX = "0123456789ABCDEF";

    private Keys() {}

    public static String key(String prefix, Resource resource) {
        return prefix + ':' + word(resource.kind()) + ":{" + escaped(resource.name(), "%{}") + '}';
    }

    /** Says that a claim was revoked. It does not end with a brace, so that nobody takes it for a record. */
    public static String revoked(String prefix, Resource resource, ClaimId claim) {
        return prefix + ":revoked:{" + escaped(resource.name(), "%{}") + "}:" + claim.client() + ':' + claim.sequence();
    }

    static String word(LockKind kind) {
        return kind == LockKind.READ_WRITE ? "rw" : kind.name().toLowerCase(Locale.ROOT);
    }

    /** The resource of a key, or null if the key is not of this prefix. A key does not tell the capacity. */
    public static @Nullable Resource resource(String prefix, String key) {
        for (LockKind kind : LockKind.values()) {
            String start = prefix + ':' + word(kind) + ":{";
            if (key.startsWith(start) && key.endsWith("}")) {
                return new Resource(kind, unescaped(key.substring(start.length(), key.length() - 1)), 1);
            }
        }
        return null;
    }

    /** The pattern with which {@code SCAN} finds every record whose name has this prefix. */
    public static String pattern(String prefix, String namePrefix) {
        return glob(prefix) + ":*:{" + glob(escaped(namePrefix, "%{}")) + "*}";
    }

    private static String glob(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ("*?[]^\\".indexOf(c) >= 0) {
                escaped.append('\\');
            }
            escaped.append(c);
        }
        return escaped.toString();
    }

    public static String claim(Claim claim) {
        return claim(claim.id(), claim.label());
    }

    /** The claim as it is sent; made once for each. */
    public static byte[] encoded(Claim claim) {
        return claim.encoded(each -> Bytes.of(claim(each)));
    }

    public static String claim(ClaimId id, String label) {
        return id.client() + ':' + ofClient(id, label);
    }

    /** The claim without its client, for calls that name the client once. */
    public static String claimOfClient(Claim claim) {
        return ofClient(claim.id(), claim.label());
    }

    private static String ofClient(ClaimId id, String label) {
        return id.sequence() + ":" + escaped(label, "% ");
    }

    public static ClaimId claimId(String claim) {
        int first = claim.indexOf(':');
        int second = claim.indexOf(':', first + 1);
        return new ClaimId(claim.substring(0, first), Long.parseLong(claim.substring(first + 1, second)));
    }

    public static String label(String claim) {
        return unescaped(claim.substring(claim.indexOf(':', claim.indexOf(':') + 1) + 1));
    }

    public static String escaped(String text, String special) {
        for (int i = 0; i < text.length(); i++) {
            if (isSpecial(text.charAt(i), special)) {
                return escapedFrom(text, i, special);
            }
        }
        return text;
    }

    private static String escapedFrom(String text, int from, String special) {
        StringBuilder escaped = new StringBuilder(text.length() + 16).append(text, 0, from);
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isSpecial(c, special)) {
                escaped.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }

    private static boolean isSpecial(char c, String special) {
        return c < ' ' || c == 0x7f || special.indexOf(c) >= 0;
    }

    public static String unescaped(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        ByteArrayOutputStream plain = new ByteArrayOutputStream(text.length());
        byte[] bytes = Bytes.of(text);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '%' && i + 2 < bytes.length) {
                plain.write(Character.digit(bytes[i + 1], 16) << 4 | Character.digit(bytes[i + 2], 16));
                i += 2;
            } else {
                plain.write(bytes[i]);
            }
        }
        return plain.toString(StandardCharsets.UTF_8);
    }
}
