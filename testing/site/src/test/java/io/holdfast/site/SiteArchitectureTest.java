package io.holdfast.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.architecture.ClassCycles;
import io.holdfast.testing.architecture.LibraryRules;
import org.junit.jupiter.api.Test;

class SiteArchitectureTest {

    @Test
    void classes_knowEachOtherInNoCircle() {
        assertThat(ClassCycles.among(LibraryRules.mainClassesBeside(Main.class)))
                .isEmpty();
    }
}
