package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SectionTest {

    @Test
    void verify_oneAfterAnother_passes() {
        Section section = new Section(1);
        section.pass();
        section.pass();
        section.verify();
        assertThat(section.passes()).isEqualTo(2);
        assertThat(section.mostInside()).isEqualTo(1);
    }

    @Test
    void verify_twoInside_fails() {
        Section section = new Section(1);
        section.pass(section::pass);
        assertThatThrownBy(section::verify).isInstanceOf(AssertionError.class);
    }

    @Test
    void verify_twoInsideAndTwoAllowed_passes() {
        Section section = new Section(2);
        section.pass(section::pass);
        section.verify();
    }

    @Test
    void verify_neverEntered_fails() {
        assertThatThrownBy(new Section(1)::verify).isInstanceOf(AssertionError.class);
    }
}
