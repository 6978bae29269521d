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

    /** A Chinese letter takes two columns, a line may end behind any of them, and none begins with a comma. */
    @Test
    void wrapped_chinese_breaksBetweenLetters() {
        assertThat(View.wrapped("持有者死了，别人继续", 10)).containsExactly("持有者死", "了，别人继", "续");
        assertThat(View.wrapped("由 Redis 服务器", 8)).containsExactly("由 Redis", "服务器");
    }

    @Test
    void wrapped_wordThatDoesNotFit_standsAlone() {
        assertThat(View.wrapped("a incomprehensibility b", 5)).containsExactly("a", "incomprehensibility", "b");
        assertThat(View.wrapped("incomprehensibility", 5)).containsExactly("incomprehensibility");
    }
}
