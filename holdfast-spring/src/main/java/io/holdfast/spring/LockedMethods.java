package io.holdfast.spring;

import io.holdfast.spring.scan.AnnotatedMethods;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/** The {@link Locked} methods of all classes that were asked for, each class read once. */
final class LockedMethods implements AopInfrastructureBean {
    private final Map<Class<?>, Map<Method, LockedMethod>> classes = new ConcurrentHashMap<>();
    private final UnaryOperator<String> placeholders;
    private final BiConsumer<Class<?>, Collection<LockedMethod>> found;

    /** {@code found} is told of each class with such methods, once, and may refuse it. */
    LockedMethods(UnaryOperator<String> placeholders, BiConsumer<Class<?>, Collection<LockedMethod>> found) {
        this.placeholders = placeholders;
        this.found = found;
    }

    boolean isIn(Class<?> type) {
        return !of(ClassUtils.getUserClass(type)).isEmpty();
    }

    /** Returns null for a method without the annotation. */
    @Nullable
    LockedMethod find(Method method, @Nullable Class<?> type) {
        Class<?> user = ClassUtils.getUserClass(type == null ? method.getDeclaringClass() : type);
        Map<Method, LockedMethod> known = of(user);
        if (known.isEmpty()) {
            return null;
        }
        LockedMethod same = known.get(method);
        return same != null ? same : known.get(AopUtils.getMostSpecificMethod(method, user));
    }

    /** Those of a class. */
    Collection<LockedMethod> all(Class<?> type) {
        return of(ClassUtils.getUserClass(type)).values();
    }

    private Map<Method, LockedMethod> of(Class<?> type) {
        Map<Method, LockedMethod> known = classes.get(type);
        if (known == null) {
            known = read(type);
            Map<Method, LockedMethod> before = classes.putIfAbsent(type, known);
            if (before != null) {
                return before;
            }
            if (!known.isEmpty()) {
                tell(type, known);
            }
        }
        return known;
    }

    /** What was refused is refused again by whoever asks next, as for a bean that is made when it is wanted. */
    private void tell(Class<?> type, Map<Method, LockedMethod> methods) {
        try {
            found.accept(type, methods.values());
        } catch (RuntimeException refused) {
            classes.remove(type);
            throw refused;
        }
    }

    private Map<Method, LockedMethod> read(Class<?> type) {
        Map<Method, LockedMethod> methods = new LinkedHashMap<>();
        for (Method each : AnnotatedMethods.of(type)) {
            Locked locked = AnnotatedElementUtils.findMergedAnnotation(each, Locked.class);
            if (locked != null) {
                methods.put(each, LockedReader.read(each, type, locked, placeholders));
            }
        }
        return Map.copyOf(methods);
    }
}
