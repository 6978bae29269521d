package io.holdfast.redis.protocol;

import io.holdfast.spi.Resource;
import org.jspecify.annotations.Nullable;

/**
 * The keys of records, as text and as bytes. Those of names that were used lately are remembered, because a lock that
 * is taken and given back needs its key twice, and most programs lock the same names again and again.
 *
 * <p>Thread-safe without a lock: an entry never changes, and whoever does not see one makes it anew.
 */
public final class RecordKeys {
    /** A power of two. Two names that share a slot make their keys anew by turns. */
    private static final int SLOTS = 256;

    /** The key of one resource. */
    public static final class Key {
        private final Resource resource;
        private final String text;
        private final byte[] bytes;

        private Key(Resource resource, String text) {
            this.resource = resource;
            this.text = text;
            this.bytes = Bytes.of(text);
        }

        public String text() {
            return text;
        }

        /** As it is sent. Not to be changed. */
        public byte[] bytes() {
            return bytes;
        }
    }

    private final String prefix;
    private final @Nullable Key[] known = new Key[SLOTS];

    public RecordKeys(String prefix) {
        this.prefix = prefix;
    }

    public Key of(Resource resource) {
        int hash = resource.name().hashCode();
        int slot = (hash ^ hash >>> 16) & SLOTS - 1;
        Key key = known[slot];
        if (key == null
                || key.resource.kind() != resource.kind()
                || !key.resource.name().equals(resource.name())) {
            key = new Key(resource, Keys.key(prefix, resource));
            known[slot] = key;
        }
        return key;
    }
}
