package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.testing.process.TestRun;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application without Jedis, or with one that is too old, gets a sentence. */
class NoJedisTest {
    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** The classes of this build, but not Jedis; what is first hides the rest. */
    private static URLClassLoader without(boolean jedis, Path... first) {
        List<URL> urls = new ArrayList<>();
        Arrays.stream(first).forEach(each -> urls.add(url(each.toString())));
        TestRun.classPath().stream()
                .filter(each -> jedis || !each.contains("/redis/clients/jedis/"))
                .forEach(each -> urls.add(url(each)));
        return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    private static Object call(Object target, Class<?> type, String method) throws Throwable {
        try {
            return type.getMethod(method).invoke(target);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    private static void call(ClassLoader loader, String method) throws Throwable {
        Class<?> door = loader.loadClass(RedisLocks.class.getName());
        Object builder = door.getMethod("builder", String.class).invoke(null, "redis://127.0.0.1:1");
        call(builder, builder.getClass(), method);
    }

    @Test
    void types_withoutJedis_canBeReflectedUpon() throws Exception {
        try (URLClassLoader loader = without(false)) {
            for (Class<?> each : List.of(RedisLocks.class, RedisLocksBuilder.class, RedisMember.class, Options.class)) {
                Class<?> alone = loader.loadClass(each.getName());
                assertThat(alone.getClassLoader()).isSameAs(loader);
                assertThat(alone.getDeclaredMethods()).isNotEmpty();
                assertThat(alone.getDeclaredFields()).isNotNull();
            }
        }
    }

    @Test
    void connectAndExamine_withoutJedis_sayWhatToAdd() throws Exception {
        try (URLClassLoader loader = without(false)) {
            for (String method : List.of("connect", "examine", "newBackend")) {
                assertThatThrownBy(() -> call(loader, method))
                        .as(method)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("no Redis client library can be used: Jedis is not on the class path; add"
                                + " redis.clients:jedis, or use io.holdfast:holdfast-redis-lettuce instead");
            }
        }
    }

    @Test
    void connect_jedisTooOld_namesBothVersions(@TempDir Path folder) throws Exception {
        Path properties = folder.resolve("redis/clients/jedis/pom.properties");
        Files.createDirectories(properties.getParent());
        Files.writeString(properties, "groupId=redis.clients\nartifactId=jedis\nversion=5.1.5\n");
        try (URLClassLoader loader = without(true, folder)) {
            assertThatThrownBy(() -> call(loader, "connect"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("no Redis client library can be used: Jedis on the class path is 5.1.5, and 5.2 or"
                            + " later is needed; raise the version of redis.clients:jedis");
        }
    }

    /** So every test of this module shows that nothing needs it. */
    @Test
    void commonsPool_isNotOnTheClassPath() throws IOException {
        assertThat(getClass()
                        .getClassLoader()
                        .getResources("org/apache/commons/pool2/impl/GenericObjectPool.class")
                        .hasMoreElements())
                .isFalse();
    }
}
