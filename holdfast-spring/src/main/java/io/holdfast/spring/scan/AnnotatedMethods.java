package io.holdfast.spring.scan;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Set;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The methods of a class that may have an annotation of ours. All classes of an application are asked, and most have
 * none: to look for one on each of their methods would take longer than all else that Holdfast does at the start.
 */
public final class AnnotatedMethods {
    private AnnotatedMethods() {}

    /**
     * Finds the methods on which some annotation is that is not Java's own, or on one that they override or implement.
     *
     * @param type the class
     * @return the most specific ones
     */
    public static Set<Method> of(Class<?> type) {
        Set<Method> found = new LinkedHashSet<>();
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            add(found, each, type);
        }
        for (Class<?> each : ClassUtils.getAllInterfacesForClassAsSet(type)) {
            add(found, each, type);
        }
        return found;
    }

    private static void add(Set<Method> found, Class<?> declaring, Class<?> type) {
        if (declaring.getName().startsWith("java.")) {
            return;
        }
        for (Method method : ReflectionUtils.getDeclaredMethods(declaring)) {
            if (!method.isSynthetic() && isAnnotated(method)) {
                found.add(BridgeMethodResolver.findBridgedMethod(ClassUtils.getMostSpecificMethod(method, type)));
            }
        }
    }

    private static boolean isAnnotated(Method method) {
        for (Annotation each : method.getDeclaredAnnotations()) {
            if (!each.annotationType().getName().startsWith("java.")) {
                return true;
            }
        }
        return false;
    }
}
