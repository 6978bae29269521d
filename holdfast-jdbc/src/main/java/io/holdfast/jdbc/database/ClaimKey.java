package io.holdfast.jdbc.database;

import io.holdfast.spi.Claim;

/**
 * Where a claim stands.
 *
 * @param row the key of its row
 * @param sequence its number at its client
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ClaimKey(byte[] row, long sequence) {
    public static ClaimKey of(Claim claim) {
        return new ClaimKey(Row.key(claim.resource()), claim.id().sequence());
    }
}
