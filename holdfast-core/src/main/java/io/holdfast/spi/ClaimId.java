package io.holdfast.spi;

/**
 * The name of a claim, never used again.
 *
 * @param client the identity of the client
 * @param sequence counts the claims of that client
 * @since 0.1
 */
public record ClaimId(String client, long sequence) {

    @Override
    public String toString() {
        return client + ':' + sequence;
    }
}
