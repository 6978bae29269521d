package io.holdfast.micrometer;

import io.holdfast.testing.architecture.LibraryRules;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MicrometerArchitectureTest {

    @Test
    void laws_ofEveryLibrary_areObeyed() throws IOException {
        LibraryRules.areObeyed(LibraryRules.mainClassesBeside(LockMeters.class), Path.of("src/main/java"));
    }
}
