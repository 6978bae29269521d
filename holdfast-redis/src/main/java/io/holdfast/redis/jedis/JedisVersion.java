package io.holdfast.redis.jedis;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Properties;

/** Which Jedis is there. Names no type of Jedis. */
final class JedisVersion {
    private static final String TYPE = "redis.clients.jedis.Connection";
    private static final String PROPERTIES = "redis/clients/jedis/pom.properties";
    private static final int LEAST_MAJOR = 5;
    private static final int LEAST_MINOR = 2;

    private JedisVersion() {}

    /** Why Jedis cannot be used, if it cannot. */
    static Optional<String> obstacle(ClassLoader loader) {
        if (!isThere(TYPE, loader)) {
            return Optional.of("Jedis is not on the class path; add redis.clients:jedis, or use"
                    + " io.holdfast:holdfast-redis-lettuce instead");
        }
        String version = version(loader);
        return isEnough(version)
                ? Optional.empty()
                : Optional.of("Jedis on the class path is " + version + ", and " + LEAST_MAJOR + "." + LEAST_MINOR
                        + " or later is needed; raise the version of redis.clients:jedis");
    }

    /** Asks for the class and not for its file, which a native image does not have. */
    static boolean isThere(String type, ClassLoader loader) {
        try {
            Class<?> found = Class.forName(type, false, loader);
            return found != null;
        } catch (ClassNotFoundException | LinkageError missing) {
            return false;
        }
    }

    /** Empty if nobody says. */
    private static String version(ClassLoader loader) {
        try (InputStream stream = loader.getResourceAsStream(PROPERTIES)) {
            Properties properties = new Properties();
            if (stream != null) {
                properties.load(stream);
            }
            return properties.getProperty("version", "");
        } catch (IOException | IllegalArgumentException unreadable) {
            return "";
        }
    }

    /** A version that nobody can read is believed to be enough. */
    static boolean isEnough(String version) {
        String[] parts = version.split("[.-]", -1);
        try {
            int major = Integer.parseInt(parts[0]);
            int minor = parts.length > 1 ? Integer.parseInt(parts[1]) : 0;
            return major > LEAST_MAJOR || (major == LEAST_MAJOR && minor >= LEAST_MINOR);
        } catch (NumberFormatException unknown) {
            return true;
        }
    }
}
