package io.holdfast.spring.leader;

import io.holdfast.spring.scan.AnnotatedMethods;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * Puts the question who leads before {@link LeaderOnly} methods, outside of all other advice: a process that does not
 * lead begins no transaction and takes no lock. Notes which elections they need, and opens these when all beans are
 * there.
 */
final class LeaderOnlyPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor
        implements SmartInitializingSingleton {
    private static final long serialVersionUID = 1;

    private final transient UnaryOperator<String> placeholders;
    private final transient Supplier<Elections> elections;
    private final transient Map<String, LeaderOnly> wanted = new ConcurrentHashMap<>();

    /** The classes that were seen, and whether they have such methods. */
    private final transient Map<Class<?>, Boolean> seen = new ConcurrentHashMap<>();

    private volatile boolean open;

    LeaderOnlyPostProcessor(UnaryOperator<String> placeholders, Supplier<Elections> elections) {
        this.placeholders = placeholders;
        this.elections = elections;
        setBeforeExistingAdvisors(true);
        setOrder(LOWEST_PRECEDENCE - 10);
        this.advisor = new DefaultPointcutAdvisor(
                new AnnotationMatchingPointcut(null, LeaderOnly.class, true),
                new LeaderOnlyInterceptor(marked -> elections.get().of(nameOf(marked), marked.client())));
    }

    private String nameOf(LeaderOnly marked) {
        return placeholders.apply(marked.value());
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        return hasMarked(AopUtils.getTargetClass(bean)) ? super.postProcessAfterInitialization(bean, name) : bean;
    }

    private boolean hasMarked(Class<?> type) {
        Boolean known = seen.get(type);
        if (known == null) {
            known = note(ClassUtils.getUserClass(type));
            seen.put(type, known);
        }
        return known;
    }

    private boolean note(Class<?> type) {
        boolean found = false;
        for (Method method : AnnotatedMethods.of(type)) {
            LeaderOnly marked = AnnotatedElementUtils.findMergedAnnotation(method, LeaderOnly.class);
            if (marked != null) {
                found = true;
                LeftOut.check(method);
                wanted.put(nameOf(marked), marked);
                if (open) {
                    elections.get().of(nameOf(marked), marked.client());
                }
            }
        }
        return found;
    }

    @Override
    public void afterSingletonsInstantiated() {
        open = true;
        wanted.forEach((name, each) -> elections.get().of(name, each.client()));
    }
}
