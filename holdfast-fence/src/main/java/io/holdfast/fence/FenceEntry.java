package io.holdfast.fence;

import io.holdfast.Lease;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * One entry into a fence: the one that is wanted, or the last one.
 *
 * <p>Can be sent to another process that does the work of a lease: it is refused there as soon as the next holder has
 * entered.
 *
 * @param name what is fenced, usually the name of the lock: 1 to 512 bytes in UTF-8
 * @param token the fencing token, positive
 * @param holder the holder of the lock, usually the id of the lease: 1 to 255 visible ASCII characters
 * @since 0.1
 */
public record FenceEntry(String name, long token, String holder) implements Serializable {
    private static final int MOST_NAME_BYTES = 512;
    private static final Pattern HOLDER = Pattern.compile("[!-~]{1,255}");

    /**
     * Checks the parts.
     *
     * @param name what is fenced
     * @param token the fencing token
     * @param holder the holder of the lock
     * @throws IllegalArgumentException if one of them is out of its bounds
     */
    public FenceEntry {
        bytes(name);
        Objects.requireNonNull(holder, "holder");
        if (token <= 0) {
            throw new IllegalArgumentException(
                    "token of '" + name + "' is " + token + ", expected the positive token of a lease");
        }
        if (!HOLDER.matcher(holder).matches()) {
            throw new IllegalArgumentException(
                    "holder of '" + name + "' is '" + holder + "', expected 1 to 255 visible ASCII characters");
        }
    }

    /**
     * Takes the parts from a lease.
     *
     * @param lease of any lock
     * @return its name, token and id
     */
    public static FenceEntry of(Lease lease) {
        return new FenceEntry(lease.name(), lease.token(), lease.id());
    }

    /** The name as fences store it; bytes have no collation and no padding. */
    byte[] nameBytes() {
        return bytes(name);
    }

    static byte[] bytes(String name) {
        Objects.requireNonNull(name, "name");
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name));
            if (encoded.limit() < 1 || encoded.limit() > MOST_NAME_BYTES) {
                throw new IllegalArgumentException("name has " + encoded.limit() + " bytes in UTF-8, expected 1 to "
                        + MOST_NAME_BYTES + "; fence a digest of it instead");
            }
            byte[] bytes = new byte[encoded.limit()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException broken) {
            throw new IllegalArgumentException("name has half a surrogate pair, expected valid Unicode", broken);
        }
    }
}
