package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class KitCompletenessTest {

    @Test
    void nestedClasses_everyContract_isAmongThem() throws IOException, URISyntaxException {
        Set<String> nested = Arrays.stream(BackendContract.class.getDeclaredClasses())
                .filter(type -> type.isAnnotationPresent(Nested.class))
                .map(type -> type.getSuperclass().getSimpleName())
                .collect(Collectors.toSet());
        assertThat(nested).isEqualTo(contracts());
    }

    private static Set<String> contracts() throws IOException, URISyntaxException {
        URI classes = BackendContract.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI();
        try (Stream<Path> files = Files.list(Path.of(classes).resolve("io/holdfast/tck"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith("Contract.class"))
                    .map(file -> file.replace(".class", ""))
                    .filter(name -> !name.equals("Contract") && !name.equals("BackendContract"))
                    .collect(Collectors.toSet());
        }
    }
}
