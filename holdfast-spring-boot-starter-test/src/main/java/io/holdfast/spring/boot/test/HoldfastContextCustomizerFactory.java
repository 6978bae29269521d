package io.holdfast.spring.boot.test;

import io.holdfast.memory.MemoryStore;
import io.holdfast.spring.boot.test.AutoConfigureHoldfast.Replace;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Puts a store in memory into the context of a test that is annotated so. */
final class HoldfastContextCustomizerFactory implements ContextCustomizerFactory {

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
        AutoConfigureHoldfast wanted =
                TestContextAnnotationUtils.findMergedAnnotation(testClass, AutoConfigureHoldfast.class);
        return wanted == null || wanted.replace() == Replace.NONE ? null : new InMemory();
    }

    /** All of them are equal: contexts may be shared. */
    private record InMemory() implements ContextCustomizer {

        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration config) {
            TestPropertyValues.of("holdfast.store=memory").applyTo(context);
            context.getBeanFactory().registerSingleton("holdfastTestStore", new MemoryStore());
        }
    }
}
