package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

/** What a native image is told of {@link Locked} methods. */
class LockedHintsTest {
    public record Order(Customer customer) {}

    public record Customer(String id) {}

    static class Base {
        String later(Order order) {
            return "later";
        }
    }

    static class Shop extends Base {
        @Locked(value = "order:{order.customer.id}", onBusy = Locked.OnBusy.FALLBACK, fallback = "later")
        public String ship(Order order) {
            return "done";
        }
    }

    @Test
    void hints_areThoseOfTheMethodItsFallbackAndTheTypesOnItsPath() throws Exception {
        RuntimeHints hints = new RuntimeHints();
        new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, Shop.class);

        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(Shop.class.getDeclaredMethod("ship", Order.class)))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(Base.class.getDeclaredMethod("later", Order.class)))
                .accepts(hints);
        for (Class<?> read : new Class<?>[] {Order.class, Customer.class}) {
            assertThat(RuntimeHintsPredicates.reflection()
                            .onMethodInvocation(read.getMethod(read.getRecordComponents()[0].getName())))
                    .accepts(hints);
        }
    }

    @Test
    void hints_ofLibraries_areThoseThatAreAskedForByName() throws Exception {
        RuntimeHints hints = new RuntimeHints();
        new LibraryHints().registerHints(hints, getClass().getClassLoader());

        for (String type : LibraryHints.ASKED_FOR) {
            assertThat(RuntimeHintsPredicates.reflection().onType(TypeReference.of(type)))
                    .as(type)
                    .accepts(hints);
        }
        assertThat(LibraryHints.ASKED_FOR).containsAll(askedFor());
    }

    /** The names of types in the sources, where somebody asks whether they are present. */
    private static Set<String> askedFor() throws IOException {
        Pattern asks = Pattern.compile("(?:isPresent|resolveClassName)\\(\\s*\"([\\w.]+)\"");
        Set<String> names = new TreeSet<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                asks.matcher(Files.readString(file)).results().forEach(found -> names.add(found.group(1)));
            }
        }
        assertThat(names).as("the search finds something").hasSizeGreaterThan(5);
        return names;
    }
}
