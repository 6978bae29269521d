package io.holdfast.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ViewTest {
    @Test
    void wrapped_longText_breaksBetweenWords() {
        assertThat(View.wrapped("one two three four", 9)).containsExactly("one two", "three", "four");
        assertThat(View.wrapped("one two", 7)).containsExactly("one two");
        assertThat(View.wrapped("", 7)).containsExactly("");
    }

    @Test
    void wrapped_wordThatDoesNotFit_standsAlone() {
        assertThat(View.wrapped("a incomprehensibility b", 5)).containsExactly("a", "incomprehensibility", "b");
        assertThat(View.wrapped("incomprehensibility", 5)).containsExactly("incomprehensibility");
    }
}
