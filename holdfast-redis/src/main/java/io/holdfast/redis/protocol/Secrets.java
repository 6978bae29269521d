package io.holdfast.redis.protocol;

import io.holdfast.spi.ClaimId;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * What a message about a grant has to know: a word for each claim that stands in its place in the line and nowhere else, so that only who may
 * read the record can tell this client that it was served. A word that was overheard is of no use for another claim.
 */
public final class Secrets {
    private static final int KEY_BYTES = 16;
    private static final int WORD_BYTES = 6;

    private final byte[] key = new byte[KEY_BYTES];

    public Secrets() {
        new SecureRandom().nextBytes(key);
    }

    public String of(ClaimId claim) {
        ByteBuffer text = ByteBuffer.allocate(KEY_BYTES + Long.BYTES).put(key).putLong(claim.sequence());
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.array());
            return HexFormat.of().formatHex(digest, 0, WORD_BYTES);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
