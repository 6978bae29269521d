package io.holdfast.redis.protocol;

import io.holdfast.spi.ClaimId;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Makes a secret word for each claim, which a message about its grant must contain. The word is stored only in the
 * claim's place in the line. So only clients that may read the record can announce the grant. An overheard word is of
 * no use for another claim.
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
