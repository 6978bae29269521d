package io.holdfast.redis.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.driver.RedisAddress;
import io.holdfast.redis.driver.RedisLinkException;
import io.holdfast.redis.driver.RedisReplyException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorMessagesTest {

    private static boolean isLasting(String reply) {
        return ErrorMessages.isLasting(new RedisReplyException(new RedisAddress("host", 6379), reply));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NOPERM this user has no permissions to run the 'evalsha' command",
                "WRONGPASS invalid username-password pair or user is disabled.",
                "NOAUTH Authentication required.",
                "WRONGTYPE Operation against a key holding the wrong kind of value",
                "ERR This instance has cluster support disabled",
                "ERR unknown command 'EVALSHA'",
                "HOLDFAST the record holdfast:lock:{a} is broken: x"
            })
    void isLasting_somebodyHasToChangeSomething_true(String reply) {
        assertThat(isLasting(reply)).isTrue();
    }

    /** A failover, or an operator who is at it already, may mend these. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "LOADING Redis is loading the dataset in memory",
                "BUSY Redis is busy running a script.",
                "READONLY You can't write against a read only replica.",
                "MASTERDOWN Link with MASTER is down",
                "OOM command not allowed when used memory > 'maxmemory'.",
                "MISCONF Redis is configured to save RDB snapshots",
                "NOREPLICAS Not enough good replicas to write.",
                "CLUSTERDOWN The cluster is down",
                "MOVED 1 host:6380",
                "ERR something else"
            })
    void isLasting_mayPass_false(String reply) {
        assertThat(isLasting(reply)).isFalse();
    }

    @Test
    void isLasting_noAnswer_false() {
        assertThat(ErrorMessages.isLasting(RedisLinkException.timedOut("no answer", null)))
                .isFalse();
    }

    @Test
    void isLasting_serverThatIsNotFit_unlessAnotherMayTakeItsPlace() {
        assertThat(ErrorMessages.isLasting(
                        new ServerRules.Broken(ServerRules.VERSION, "is too old", "").on("it", false)))
                .isTrue();
        assertThat(ErrorMessages.isLasting(
                        new ServerRules.Broken(ServerRules.ROLE, "is a replica", "").on("it", false)))
                .isFalse();
        assertThat(ErrorMessages.isLasting(new RedisUnfitException("has too few replicas")))
                .isFalse();
    }
}
