package io.holdfast.spring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spring.Locked;
import io.holdfast.spring.LockedJob;
import java.lang.reflect.Method;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class AnnotatedMethodsTest {

    interface Shipping<T> {
        @Locked("order:{p0}")
        void ship(T order);

        @LockedJob("report")
        default void report() {}
    }

    static class Parent {
        @Locked("parent")
        protected void inherited() {}

        @Locked("parent")
        protected void overridden() {}
    }

    static class Child extends Parent implements Shipping<String> {
        @Override
        public void ship(String order) {}

        @Override
        protected void overridden() {}

        @Deprecated
        void old() {}

        void plain() {}
    }

    static class Plain implements Callable<String> {
        @Override
        public String call() {
            return toString();
        }
    }

    @Test
    void annotations_areFoundWhereverTheyAre_onTheMostSpecificMethod() throws NoSuchMethodException {
        assertThat(AnnotatedMethods.of(Child.class))
                .containsExactlyInAnyOrder(
                        Child.class.getDeclaredMethod("ship", String.class),
                        Child.class.getDeclaredMethod("overridden"),
                        Parent.class.getDeclaredMethod("inherited"),
                        Shipping.class.getDeclaredMethod("report"));
    }

    @Test
    void noAnnotation_orJavasOwn_isNothing() {
        assertThat(AnnotatedMethods.of(Plain.class)).isEmpty();
        assertThat(AnnotatedMethods.of(Child.class)).extracting(Method::getName).doesNotContain("old", "plain");
    }
}
