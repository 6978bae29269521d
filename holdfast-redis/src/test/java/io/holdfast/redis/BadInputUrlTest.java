package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.redis.settings.RedisUrl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Wrong URLs: each is refused before anything is connected, with a reason and a pattern, and never with the password.
 */
class BadInputUrlTest {
    private static final String PATTERN = "expected redis://[user:password@]host[:port][/database],"
            + " redis-sentinel://host[:port],…/master or redis-cluster://host[:port],…, with rediss for TLS";

    @ParameterizedTest
    @CsvSource(
            delimiterString = " -> ",
            value = {
                "'' -> it has no scheme",
                "localhost -> it has no scheme",
                "localhost:6379 -> it has no scheme",
                "redis:/localhost -> it has no scheme",
                "u:s3cret@localhost -> it has no scheme",
                "://localhost -> its scheme '' is not known",
                "http://localhost -> its scheme 'http' is not known",
                "redi://u:s3cret@localhost -> its scheme 'redi' is not known",
                "redisss://localhost -> its scheme 'rediss' is not known",
                "redis-cluster-sentinel://h -> its scheme 'redis-cluster-sentinel' is not known",
                "redis:// -> a host is missing",
                "redis:/// -> a host is missing",
                "redis:///0 -> a host is missing",
                "redis://:6379 -> a host is missing",
                "redis://u:s3cret@ -> a host is missing",
                "redis://u:s3cret@:6379 -> a host is missing",
                "redis://[]:6379 -> a host has characters that no host has; options are set on the builder, not in the URL",
                "redis://h?timeout=1 -> a host has characters that no host has; options are set on the builder, not in the URL",
                "redis://a b -> a host has characters that no host has; options are set on the builder, not in the URL",
                "redis://h#x -> a host has characters that no host has; options are set on the builder, not in the URL",
                "redis://[::1]x -> a host has characters that no host has; options are set on the builder, not in the URL",
                "redis://u:s3cret -> its port is not a number from 1 to 65535",
                "redis://u:s3cret/0 -> its port is not a number from 1 to 65535",
                "redis://u:100%s3cret@h -> its user or password has a % that is not followed by two hex digits; write %25 for %",
                "redis://u:s3cret%@h -> its user or password has a % that is not followed by two hex digits; write %25 for %",
                "redis-cluster://a,,b -> a host is missing",
                "redis-cluster://a, -> a host is missing",
                "redis://h: -> its port is not a number from 1 to 65535",
                "redis://h:0 -> its port is not a number from 1 to 65535",
                "redis://h:-1 -> its port is not a number from 1 to 65535",
                "redis://h:65536 -> its port is not a number from 1 to 65535",
                "redis://h:99999999999 -> its port is not a number from 1 to 65535",
                "redis://u:s3cret@h:port -> its port is not a number from 1 to 65535",
                "redis://h/x -> its database is not a number from 0 to 1048576",
                "redis://h/-1 -> its database is not a number from 0 to 1048576",
                "redis://h/1.5 -> its database is not a number from 0 to 1048576",
                "redis://u:s3cret@h/0/1 -> there is too much after the host",
                "redis://a,b -> it names 2 servers, but redis:// is for one",
                "rediss://a,b,c -> it names 3 servers, but redis:// is for one",
                "redis-sentinel://h -> a Sentinel URL must end with the name of the master",
                "redis-sentinel://u:s3cret@h/ -> a Sentinel URL must end with the name of the master",
                "redis-sentinel://a,b//0 -> a Sentinel URL must end with the name of the master",
                "redis-sentinel://a/m/x -> its database is not a number from 0 to 1048576",
                "redis-sentinel://a/m/0/x -> there is too much after the host",
                "redis-cluster://a,b/1 -> a cluster has no database but 0",
                "redis-cluster://a,b/0/0 -> there is too much after the host",
            })
    void parse_malformed_saysWhy(String url, String why) {
        assertThatThrownBy(() -> RedisLocks.builder(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the Redis URL cannot be used: " + why + "; " + PATTERN)
                .hasMessageNotContaining("s3cret");
        assertThatThrownBy(() -> RedisLocks.connect(url)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void parse_null_refused() {
        assertThatThrownBy(() -> RedisLocks.connect(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("url");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " -> ",
            value = {
                "redis://h -> h:6379",
                "REDIS://h -> h:6379",
                "redis://h:1/ -> h:1",
                "redis://[::1]:7 -> [::1]:7",
                "redis://[::1] -> [::1]:6379",
                "rediss://h -> h:6379",
                "redis-sentinel://h/m -> h:26379",
                "rediss-sentinel://a:1,b/m/3 -> a:1, b:26379",
                "redis-cluster://a,b:2 -> a:6379, b:2",
                "redis-cluster://a,b/0 -> a:6379, b:6379",
            })
    void parse_wellFormed_hasTheAddresses(String url, String addresses) {
        assertThat(RedisUrl.parse(url).addresses()).hasToString("[" + addresses + "]");
        assertThat(RedisUrl.parse(url).tls()).isEqualTo(url.startsWith("rediss"));
    }

    @ParameterizedTest
    @CsvSource({
        "redis://h, , ",
        "redis://s3cret@h, , s3cret",
        "redis://:s3cret@h, , s3cret",
        "redis://u:s3cret@h, u, s3cret",
        "redis://u:s3c:ret@h, u, s3c:ret",
        "redis://u:s3c@ret@h, u, s3c@ret",
        "redis://u:s3c/ret@h, u, s3c/ret",
        "redis://u%3A:s3c%40%2F+%25@h, u:, s3c@/+%",
        "redis-sentinel://u:s3cret@a;b/m, u, s3cret",
    })
    void parse_login_isDecoded(String url, String user, String password) {
        RedisUrl parsed = RedisUrl.parse(url.replace(';', ','));
        assertThat(parsed.user()).isEqualTo(user);
        assertThat(parsed.password()).isEqualTo(password);
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis://u:s3cret@h", "redis-sentinel://u:s3cret@h/m", "redis-cluster://u:s3cret@h"})
    void toString_withPassword_doesNotShowIt(String url) {
        assertThat(RedisUrl.parse(url).toString()).doesNotContain("s3cret");
        assertThat(RedisLocks.builder(url).newBackend().toString()).doesNotContain("s3cret");
    }
}
