package io.holdfast.spring;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * A name with parameters in braces, read and checked once. At a call it gives the names: one, or one for each element
 * of a collection.
 */
final class NameTemplate {
    private static final SimpleEvaluationContext READING =
            SimpleEvaluationContext.forReadOnlyDataBinding().build();

    /** Whether {@code toString} says something: that of {@link Object} is another one for each object. */
    private static final ClassValue<Boolean> NAMES_ITSELF = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            try {
                return type.getMethod("toString").getDeclaringClass() != Object.class;
            } catch (NoSuchMethodException impossible) {
                return false;
            }
        }
    };

    /** Either a text, or a parameter with the path that begins at it; a null path is the parameter itself. */
    record Part(String text, int parameter, @Nullable Expression path) {
        static Part text(String text) {
            return new Part(text, -1, null);
        }

        boolean isText() {
            return parameter < 0;
        }
    }

    private final Method method;
    private final String template;
    private final List<Part> parts;

    NameTemplate(Method method, String template, List<Part> parts) {
        this.method = method;
        this.template = template;
        this.parts = List.copyOf(parts);
    }

    /** The text, with its placeholders resolved. */
    String template() {
        return template;
    }

    /** Returns at least one name; throws if a part is missing. */
    List<String> names(@Nullable Object[] arguments) {
        if (parts.size() == 1 && parts.get(0).isText()) {
            return List.of(template);
        }
        List<StringBuilder> names = new ArrayList<>(1);
        names.add(new StringBuilder());
        for (Part part : parts) {
            if (part.isText()) {
                names.forEach(name -> name.append(part.text()));
            } else {
                names = appended(names, values(part, arguments));
            }
        }
        if (names.size() == 1) {
            return List.of(names.get(0).toString());
        }
        Set<String> distinct = new LinkedHashSet<>();
        names.forEach(name -> distinct.add(name.toString()));
        return List.copyOf(distinct);
    }

    private static List<StringBuilder> appended(List<StringBuilder> names, List<String> values) {
        if (values.size() == 1) {
            names.forEach(name -> name.append(values.get(0)));
            return names;
        }
        List<StringBuilder> all = new ArrayList<>(names.size() * values.size());
        for (StringBuilder name : names) {
            values.forEach(value -> all.add(new StringBuilder(name).append(value)));
        }
        return all;
    }

    private List<String> values(Part part, @Nullable Object[] arguments) {
        Object value = read(part, arguments[part.parameter()]);
        if (value instanceof Optional<?> optional) {
            value = optional.orElse(null);
        }
        if (value instanceof Collection<?> many) {
            return texts(part, many.toArray());
        }
        if (value != null && value.getClass().isArray()) {
            Object[] elements = new Object[Array.getLength(value)];
            for (int i = 0; i < elements.length; i++) {
                elements[i] = Array.get(value, i);
            }
            return texts(part, elements);
        }
        return List.of(text(part, value));
    }

    private static @Nullable Object readPath(Expression path, Object from) {
        return path.getValue(READING, from);
    }

    private @Nullable Object read(Part part, @Nullable Object argument) {
        if (part.path() == null) {
            return argument;
        }
        if (argument == null) {
            throw missing(part, "is null", null);
        }
        try {
            return readPath(part.path(), argument);
        } catch (EvaluationException unreadable) {
            throw missing(part, "cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    private List<String> texts(Part part, Object[] elements) {
        if (elements.length == 0) {
            throw missing(part, "is empty", null);
        }
        List<String> texts = new ArrayList<>(elements.length);
        for (Object element : elements) {
            texts.add(text(part, element));
        }
        return texts;
    }

    private String text(Part part, @Nullable Object value) {
        if (value == null) {
            throw missing(part, "is null", null);
        }
        if (!NAMES_ITSELF.get(value.getClass())) {
            throw missing(part, "is a " + value.getClass().getName() + " without a toString() of its own", null);
        }
        String text = value.toString();
        if (text.isEmpty()) {
            throw missing(part, "is empty", null);
        }
        return text;
    }

    private IllegalArgumentException missing(Part part, String what, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "{" + part.text() + "} of the lock name '" + template + "' " + what + ", at a call of "
                        + method.getDeclaringClass().getName() + "." + method.getName()
                        + ". Nothing was locked or run. A name is made of values that are there",
                cause);
    }
}
