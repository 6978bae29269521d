package io.holdfast.redis.driver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisErrorTest {

    /** As servers of 6.2 and 7 write them, from commands and from scripts. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            NOSCRIPT No matching script. Please use EVAL.                                             | NOSCRIPT
            MOVED 3999 127.0.0.1:6381                                                                  | MOVED
            ASK 3999 127.0.0.1:6381                                                                    | ASK
            NOPERM this user has no permissions to run the 'scan' command                              | NOPERM
            ERR Error running script: The user executing the script can't run this command or subcommand | NOPERM
            NOAUTH Authentication required.                                                            | NOAUTH
            WRONGPASS invalid username-password pair or user is disabled.                              | NOAUTH
            ERR invalid password                                                                       | NOAUTH
            ERR AUTH <password> called without any password configured for the default user.           | NOAUTH
            OOM command not allowed when used memory > 'maxmemory'.                                    | OOM
            ERR Error running script (call to f_1): @user_script:7: -OOM command not allowed           | OOM
            MISCONF Redis is configured to save RDB snapshots, but it is currently not able to persist | MISCONF
            ERR Error running script (call to f_1): @user_script:7: -MISCONF Errors writing to the AOF | MISCONF
            NOREPLICAS Not enough good replicas to write.                                              | NOREPLICAS
            ERR Error running script (call to f_1): -READONLY You can't write against a read only replica. | READONLY
            READONLY You can't write against a read only replica.                                      | READONLY
            MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.           | MASTERDOWN
            LOADING Redis is loading the dataset in memory                                             | LOADING
            BUSY Redis is busy running a script.                                                       | BUSY
            CLUSTERDOWN The cluster is down                                                            | CLUSTERDOWN
            WRONGTYPE Operation against a key holding the wrong kind of value                          | WRONGTYPE
            ERR This instance has cluster support disabled                                             | NO_CLUSTER
            ERR unknown command 'EVALSHA'                                                              | UNKNOWN_COMMAND
            HOLDFAST the record lock:{OOM READONLY} is broken                                          | OTHER
            ERR something else                                                                         | OTHER
            """)
    void of_reply_isItsKind(String reply, RedisError kind) {
        assertThat(RedisError.of(reply)).isEqualTo(kind);
        assertThat(new RedisReplyException(new RedisAddress("a", 1), reply).error())
                .isEqualTo(kind);
    }
}
