package io.holdfast.tck;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/**
 * Generates a test that needs an ability once if the store has it, and not at all if it has not: no test is ever
 * skipped. What a store can do is said by its fixture, so one is made for that question, once per class.
 */
final class AbilityTests implements TestTemplateInvocationContextProvider {
    private static final Namespace NAMESPACE = Namespace.create(AbilityTests.class);

    private record Abilities(Set<Ability> all) {}

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return context.getRequiredTestMethod().isAnnotationPresent(TestWith.class);
    }

    @Override
    public boolean mayReturnZeroTestTemplateInvocationContexts(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        ExtensionContext outermost = outermost(context);
        Class<?> type = outermost.getRequiredTestClass();
        Abilities abilities =
                outermost.getStore(NAMESPACE).computeIfAbsent(type, AbilityTests::abilitiesOf, Abilities.class);
        TestWith needed = context.getRequiredTestMethod().getAnnotation(TestWith.class);
        return abilities.all.containsAll(List.of(needed.value()))
                ? Stream.of(once(context.getDisplayName()))
                : Stream.empty();
    }

    /** Of the class that the author of a backend wrote; the contracts are nested in it, or it extends one of them. */
    private static ExtensionContext outermost(ExtensionContext context) {
        ExtensionContext outermost = context;
        Optional<ExtensionContext> parent = context.getParent();
        while (parent.isPresent() && parent.get().getTestClass().isPresent()) {
            outermost = parent.get();
            parent = outermost.getParent();
        }
        return outermost;
    }

    private static Abilities abilitiesOf(Class<?> type) {
        try {
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            FixtureSource test = (FixtureSource) constructor.newInstance();
            try (BackendFixture fixture = test.newFixture()) {
                EnumSet<Ability> all = EnumSet.allOf(Ability.class);
                all.removeIf(ability -> !ability.isOf(fixture));
                return new Abilities(all);
            }
        } catch (Exception unable) {
            throw new IllegalStateException(
                    "the kit asks a fixture of " + type.getName() + " what its store can do, and could not make one;"
                            + " the class needs a constructor without parameters, and newFixture() must work after"
                            + " its @BeforeAll methods",
                    unable);
        }
    }

    private static TestTemplateInvocationContext once(String name) {
        return new TestTemplateInvocationContext() {
            @Override
            public String getDisplayName(int invocation) {
                return name;
            }
        };
    }
}
