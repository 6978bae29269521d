package io.holdfast.zookeeper.backend;

import java.util.Arrays;
import org.apache.zookeeper.ZooKeeper;

/** What a client says to be let in. Never printed. */
public final class Credentials {
    private final String scheme;
    private final byte[] auth;

    public Credentials(String scheme, byte[] auth) {
        this.scheme = scheme;
        this.auth = Arrays.copyOf(auth, auth.length);
    }

    void addTo(ZooKeeper zooKeeper) {
        zooKeeper.addAuthInfo(scheme, auth.clone());
    }

    String scheme() {
        return scheme;
    }

    @Override
    public String toString() {
        return "credentials of " + scheme;
    }
}
