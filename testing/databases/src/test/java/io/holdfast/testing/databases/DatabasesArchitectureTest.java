package io.holdfast.testing.databases;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.architecture.ClassCycles;
import io.holdfast.testing.architecture.LibraryRules;
import org.junit.jupiter.api.Test;

class DatabasesArchitectureTest {

    @Test
    void classes_knowEachOtherInNoCircle() {
        assertThat(ClassCycles.among(LibraryRules.mainClassesBeside(TestDatabase.class)))
                .isEmpty();
    }
}
