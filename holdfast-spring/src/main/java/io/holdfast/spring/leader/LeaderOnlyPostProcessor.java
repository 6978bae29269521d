package io.holdfast.spring.leader;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;

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
    private final transient Set<Class<?>> seen = ConcurrentHashMap.newKeySet();
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
        Class<?> type = AopUtils.getTargetClass(bean);
        if (seen.add(type)) {
            note(type);
        }
        return super.postProcessAfterInitialization(bean, name);
    }

    private void note(Class<?> type) {
        Map<Method, LeaderOnly> marked =
                MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<@Nullable LeaderOnly>)
                        method -> AnnotatedElementUtils.findMergedAnnotation(method, LeaderOnly.class));
        marked.forEach((method, each) -> {
            LeftOut.check(method);
            wanted.put(nameOf(each), each);
            if (open) {
                elections.get().of(nameOf(each), each.client());
            }
        });
    }

    @Override
    public void afterSingletonsInstantiated() {
        open = true;
        wanted.forEach((name, each) -> elections.get().of(name, each.client()));
    }
}
