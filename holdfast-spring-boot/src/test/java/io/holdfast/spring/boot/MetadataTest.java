package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Every property is known to editors, with what it means. */
class MetadataTest {

    @Test
    void everyProperty_isInTheMetadata() throws IOException {
        String metadata = read("META-INF/spring-configuration-metadata.json").replaceAll("\\s+", "");
        List<String> names = new ArrayList<>();
        collect("holdfast", HoldfastProperties.class, names);
        names.add("management.endpoint.locks.show-values");
        assertThat(names).contains("holdfast.redis.ssl.bundle", "holdfast.jdbc.create-tables", "holdfast.max-hold");
        for (String name : names) {
            assertThat(metadata).contains("\"name\":\"" + name + "\"");
            String entry = metadata.substring(metadata.indexOf("\"name\":\"" + name + "\""));
            assertThat(entry.substring(0, entry.indexOf('}'))).as(name).contains("\"description\":\"");
        }
        assertThat(metadata).contains("\"hints\":[");
    }

    private static void collect(String prefix, Class<?> type, List<String> names) {
        for (RecordComponent each : type.getRecordComponents()) {
            String name =
                    prefix + "." + each.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            if (each.getType().isRecord()) {
                collect(name, each.getType(), names);
            } else {
                names.add(name);
            }
        }
    }

    private static String read(String resource) throws IOException {
        URL ours =
                HoldfastProperties.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader only = new URLClassLoader(new URL[] {ours}, null); // others have such a file, too
                InputStream stream = only.getResourceAsStream(resource)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
