package io.holdfast.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.architecture.ClassCycles;
import io.holdfast.testing.architecture.LibraryRules;
import org.junit.jupiter.api.Test;

class ReleaseArchitectureTest {

    @Test
    void classes_knowEachOtherInNoCircle() {
        assertThat(ClassCycles.among(LibraryRules.mainClassesBeside(Vulnerabilities.class)))
                .isEmpty();
    }
}
