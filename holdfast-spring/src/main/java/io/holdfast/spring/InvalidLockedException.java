package io.holdfast.spring;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Something is wrong with a {@link Locked} method, found when the application starts. It says which method, which
 * attribute, which value, and what is possible.
 *
 * @since 0.1
 */
public final class InvalidLockedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable Method method;
    private final String place;
    private final String attribute;
    private final String value;
    private final String problem;
    private final String possible;

    /**
     * Creates the exception.
     *
     * @param method the annotated method
     * @param attribute which attribute of the annotation, such as {@code waitFor}; empty if it is the method itself
     * @param value what stands there
     * @param problem what is wrong with it, a sentence without its end
     * @param possible what could stand there, or what to do, a sentence without its end
     */
    public InvalidLockedException(Method method, String attribute, String value, String problem, String possible) {
        super(message(place(method), attribute, value, problem, possible));
        this.method = method;
        this.place = place(method);
        this.attribute = attribute;
        this.value = value;
        this.problem = problem;
        this.possible = possible;
    }

    private static String place(Method method) {
        StringBuilder text = new StringBuilder(method.getDeclaringClass().getName());
        text.append('.').append(method.getName()).append('(');
        String separator = "";
        for (Class<?> parameter : method.getParameterTypes()) {
            text.append(separator).append(parameter.getSimpleName());
            separator = ", ";
        }
        return text.append(')').toString();
    }

    private static String message(String place, String attribute, String value, String problem, String possible) {
        String what = attribute.isEmpty() ? "@Locked" : "@Locked(" + attribute + " = \"" + value + "\")";
        return what + " on " + place + ": " + problem + ". " + possible;
    }

    /**
     * Returns the annotated method.
     *
     * @return the method; null only in an exception that was serialized
     */
    public @Nullable Method method() {
        return method;
    }

    /**
     * Returns where it is, in words.
     *
     * @return class, method and types of the parameters
     */
    public String place() {
        return place;
    }

    /**
     * Returns which attribute of the annotation is meant.
     *
     * @return such as {@code waitFor}; empty if it is the method itself
     */
    public String attribute() {
        return attribute;
    }

    /**
     * Returns what stands there.
     *
     * @return the value, or what is known of the method
     */
    public String value() {
        return value;
    }

    /**
     * Returns what is wrong with it.
     *
     * @return a sentence without its end
     */
    public String problem() {
        return problem;
    }

    /**
     * Returns what could stand there, or what to do.
     *
     * @return a sentence without its end
     */
    public String possible() {
        return possible;
    }
}
