package io.holdfast.spring;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One call of a {@link Locked} method or of {@link LockOperations}, as a {@link LockedObserver} is told of it.
 *
 * @since 0.1
 */
public final class LockedCall {
    private final String group;
    private final Locked.Kind kind;
    private final List<String> names;
    private final String client;
    private final @Nullable Method method;

    /**
     * Creates the description; for tests of observers, too.
     *
     * @param group the template, or what {@link LockGroups} says of the first name
     * @param kind what the names are locked as
     * @param names what is locked, at least one
     * @param client the name of the client's bean; empty for the only or the primary one
     * @param method the annotated method; null for {@link LockOperations}
     */
    public LockedCall(String group, Locked.Kind kind, List<String> names, String client, @Nullable Method method) {
        this.group = group;
        this.kind = kind;
        this.names = List.copyOf(names);
        this.client = client;
        this.method = method;
    }

    /**
     * Returns what the call belongs to, of which there are few.
     *
     * @return the template, or what {@link LockGroups} says of the first name
     */
    public String group() {
        return group;
    }

    /**
     * Returns what the names are locked as.
     *
     * @return the kind
     */
    public Locked.Kind kind() {
        return kind;
    }

    /**
     * Returns what is locked.
     *
     * @return at least one name
     */
    public List<String> names() {
        return names;
    }

    /**
     * Returns which client locks.
     *
     * @return the name of its bean; empty for the only or the primary one
     */
    public String client() {
        return client;
    }

    /**
     * Returns the annotated method.
     *
     * @return empty for {@link LockOperations}
     */
    public Optional<Method> method() {
        return Optional.ofNullable(method);
    }
}
