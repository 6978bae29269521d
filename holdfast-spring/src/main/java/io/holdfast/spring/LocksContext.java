package io.holdfast.spring;

import io.holdfast.LockClient;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.BeanFactory;

/**
 * Finds the beans that calls need, when they need them. Advice is made before all other beans; what it asked for at
 * that time would miss the post-processors.
 */
final class LocksContext implements AopInfrastructureBean {
    /** That of Spring Boot. */
    private static final String TASK_EXECUTOR = "applicationTaskExecutor";

    private final BeanFactory beans;
    private final Map<String, LockClient> clients = new ConcurrentHashMap<>();
    private volatile @Nullable Executor executor;
    private volatile @Nullable LockedSettings settings;
    private volatile @Nullable LockGroups groups;
    private volatile @Nullable List<LockedObserver> observers;

    LocksContext(BeanFactory beans) {
        this.beans = beans;
    }

    /** An empty name is the only or the primary client. */
    LockClient client(String name) {
        LockClient known = clients.get(name);
        if (known == null) {
            known = find(name); // not inside the map: it may connect, and a virtual thread would be pinned
            LockClient first = clients.putIfAbsent(name, known);
            known = first == null ? known : first;
        }
        return known;
    }

    private LockClient find(String name) {
        return name.isEmpty() ? beans.getBean(LockClient.class) : beans.getBean(name, LockClient.class);
    }

    LockedSettings settings() {
        LockedSettings known = settings;
        if (known == null) {
            known = beans.getBeanProvider(LockedSettings.class).getIfAvailable(LockedSettings::defaults);
            settings = known;
        }
        return known;
    }

    LockGroups groups() {
        LockGroups known = groups;
        if (known == null) {
            known = beans.getBean(LockGroups.class);
            groups = known;
        }
        return known;
    }

    /** Where methods that return futures run. */
    Executor executor() {
        Executor known = executor;
        if (known == null) {
            known = beans.containsBean(TASK_EXECUTOR)
                    ? beans.getBean(TASK_EXECUTOR, Executor.class)
                    : new CompletableFuture<>().defaultExecutor();
            executor = known;
        }
        return known;
    }

    List<LockedObserver> observers() {
        List<LockedObserver> known = observers;
        if (known == null) {
            known = beans.getBeanProvider(LockedObserver.class).orderedStream().toList();
            observers = known;
        }
        return known;
    }
}
