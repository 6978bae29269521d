package io.holdfast.zookeeper.backend;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * What the node of a claim holds: its lease in milliseconds, a blank, and who asks. For people; nobody decides by it.
 *
 * @param lease how long it is kept without a renewal
 * @param label who asks
 */
record ClaimData(Duration lease, String label) {

    byte[] bytes() {
        return (lease.toMillis() + " " + label).getBytes(StandardCharsets.UTF_8);
    }

    static ClaimData read(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        int blank = text.indexOf(' ');
        try {
            return new ClaimData(Duration.ofMillis(Long.parseLong(text, 0, blank, 10)), text.substring(blank + 1));
        } catch (IndexOutOfBoundsException | NumberFormatException foreign) {
            return new ClaimData(Duration.ZERO, "");
        }
    }
}
