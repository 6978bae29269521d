package io.holdfast.spring;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.ReflectiveProcessor;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/** Says for native images what a {@link Locked} method needs: itself, its fallback, and what its template reads. */
final class LockedHints implements ReflectiveProcessor {
    /** By its name and without its type: the annotation names this class. */
    private static final String LOCKED = LockedHints.class.getPackageName() + ".Locked";

    @Override
    public void registerReflectionHints(ReflectionHints hints, AnnotatedElement element) {
        if (!(element instanceof Method method)) {
            return;
        }
        hints.registerMethod(method, ExecutableMode.INVOKE);
        var attributes = AnnotatedElementUtils.getMergedAnnotationAttributes(method, LOCKED);
        if (attributes == null) {
            return;
        }
        String fallback = attributes.getString("fallback");
        Arrays.stream(ReflectionUtils.getAllDeclaredMethods(method.getDeclaringClass()))
                .filter(each -> each.getName().equals(fallback))
                .forEach(each -> hints.registerMethod(each, ExecutableMode.INVOKE));
        TemplateReader.typesRead(method, attributes.getString("value"))
                .forEach(type -> hints.registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS));
    }
}
