package io.holdfast.redis.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RedisAccessTest {
    private static final RedisAddress HERE = new RedisAddress("127.0.0.1", 6379);

    private static RedisAccess access(RedisCredentials credentials) {
        return new RedisAccess(
                () -> credentials, 3, "name", Duration.ofSeconds(1), true, new RedisAccess.Tls(null, null, null), null);
    }

    @Test
    void toString_showsNoPassword() {
        RedisCredentials credentials = new RedisCredentials("app", "s3cret");
        assertThat(credentials).hasToString("credentials of app");
        assertThat(new RedisCredentials(null, "s3cret")).hasToString("credentials of the default user");
        assertThat(access(credentials)).hasToString("database 3 with TLS with a login");
    }

    @Test
    void credentials_noPassword_refused() {
        assertThatThrownBy(() -> new RedisCredentials("app", null)).hasMessage("password");
    }

    @Test
    void currentCredentials_supplierGivesNull_saysSo() {
        assertThatThrownBy(() -> access(null).currentCredentials(HERE))
                .isInstanceOf(RedisLinkException.class)
                .hasMessage("no connection to Redis at 127.0.0.1:6379: the supplier of the credentials returned null");
    }
}
