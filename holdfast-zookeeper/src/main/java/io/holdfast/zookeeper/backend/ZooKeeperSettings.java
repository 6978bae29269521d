package io.holdfast.zookeeper.backend;

import io.holdfast.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * What a client on ZooKeeper was told.
 *
 * @param connect where the servers are
 * @param root below which node everything is, seen from the chroot
 * @param session how long ZooKeeper keeps what a silent client holds
 * @param tick the longest tick that a server may have
 * @param credentials what the client says to be let in
 * @param acl who may do what, or null for what fits the credentials
 * @param clientConfig for ZooKeeper's client, or null
 * @param clientName for people
 * @param requestTimeout how long a request may take
 * @param time the clocks of this process
 */
public record ZooKeeperSettings(
        ConnectString connect,
        String root,
        Duration session,
        Duration tick,
        List<Credentials> credentials,
        @Nullable List<ACL> acl,
        @Nullable ZKClientConfig clientConfig,
        String clientName,
        Duration requestTimeout,
        TimeSource time) {

    /** Opening a session takes so many answers at most. */
    private static final int CONNECTING = 5;

    /** A caller in a hurry must not take a breath of the server for an outage. */
    private static final Duration LEAST_ANSWER = Duration.ofMillis(500);

    /** How long a caller with so much patience waits for an answer. */
    Duration answerWithin(Duration patience) {
        Duration most = patience.compareTo(requestTimeout) < 0 ? patience : requestTimeout;
        return most.compareTo(LEAST_ANSWER) > 0 || requestTimeout.compareTo(LEAST_ANSWER) < 0 ? most : LEAST_ANSWER;
    }

    /** How long opening a session may take. */
    Duration connectWithin() {
        return requestTimeout.multipliedBy(CONNECTING);
    }

    /** The longest lease. */
    Duration carried() {
        return Carried.by(session, tick);
    }

    /** The root as the servers see it. */
    String rootPath() {
        return connect.chroot() + root;
    }

    /** Who may do what with new nodes. */
    List<ACL> acls() {
        if (acl != null) {
            return acl;
        }
        return credentials.isEmpty() ? ZooDefs.Ids.OPEN_ACL_UNSAFE : ZooDefs.Ids.CREATOR_ALL_ACL;
    }
}
