package io.holdfast.zookeeper.backend;

import io.holdfast.LockStoreException;
import io.holdfast.spi.Resource;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** What ZooKeeper's errors mean for whoever gets them. */
final class ErrorMessages {
    private final ZooKeeperSettings settings;

    ErrorMessages(ZooKeeperSettings settings) {
        this.settings = settings;
    }

    /** Whether it is worth asking again, perhaps another server. */
    static boolean passes(KeeperException said) {
        return switch (said.code()) {
            case CONNECTIONLOSS, SESSIONEXPIRED, SESSIONMOVED, THROTTLEDOP, NEWCONFIGNOQUORUM -> true;
            default -> false;
        };
    }

    LockStoreException of(@Nullable Resource resource, String doing, KeeperException said) {
        boolean lasting = said.code() == Code.NOAUTH || said.code() == Code.AUTHFAILED;
        return of(resource, "could not " + doing + ": " + meaning(said), said, lasting);
    }

    /**
     * The same where no session may be open.
     *
     * @param refusal why the next one could not be opened, if that was tried
     */
    LockStoreException of(
            @Nullable Resource resource, String doing, KeeperException said, @Nullable LockStoreException refusal) {
        if (refusal == null || said.code() != Code.SESSIONEXPIRED) {
            return of(resource, doing, said);
        }
        String sentence =
                "could not " + doing + ": the session ended, and no new one could be opened: " + refusal.getMessage();
        return of(resource, sentence, refusal, refusal.isLasting());
    }

    private static LockStoreException of(
            @Nullable Resource resource, String sentence, Exception cause, boolean lasting) {
        return resource == null
                ? new LockStoreException(null, "", sentence, cause, lasting)
                : new LockStoreException(resource.kind(), resource.name(), sentence, cause, lasting);
    }

    private String meaning(KeeperException said) {
        String servers = settings.connect().servers();
        return switch (said.code()) {
            case NOAUTH ->
                "the user may not do that with " + said.getPath() + "; it needs the permissions read, write, create and"
                        + " delete there, by auth(…), or all clients need the same acl(…)";
            case AUTHFAILED -> "ZooKeeper does not accept the credentials; check auth(…) and SASL";
            case CONNECTIONLOSS -> "the connection to " + servers + " was lost; whether it was done is not known";
            case OPERATIONTIMEOUT ->
                "no answer from " + servers + " in time; check that a majority of the servers runs and can be reached";
            case SESSIONEXPIRED, SESSIONMOVED -> "the session ended, and a new one is not open yet; try again";
            case UNIMPLEMENTED -> "the server does not know what was asked for; version 3.6 or newer is needed";
            case QUOTAEXCEEDED -> "the quota of " + said.getPath() + " is used up; raise it";
            default -> "ZooKeeper says " + said.getMessage();
        };
    }
}
