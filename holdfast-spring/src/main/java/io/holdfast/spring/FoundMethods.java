package io.holdfast.spring;

import io.holdfast.LockClient;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.ClassUtils;

/**
 * What is done once with the {@link Locked} methods of a class: their templates become groups, their class is searched
 * for calls to itself, and when all beans are there those that they need are looked for.
 */
final class FoundMethods
        implements BiConsumer<Class<?>, Collection<LockedMethod>>, SmartInitializingSingleton, AopInfrastructureBean {
    private final ListableBeanFactory beans;
    private final LocksContext context;
    private final TemplateGroups groups;
    private final Queue<LockedMethod> waiting = new ConcurrentLinkedQueue<>();
    private volatile boolean started;

    FoundMethods(ListableBeanFactory beans, LocksContext context, TemplateGroups groups) {
        this.beans = beans;
        this.context = context;
        this.groups = groups;
    }

    @Override
    public void accept(Class<?> type, Collection<LockedMethod> methods) {
        methods.forEach(method -> groups.add(method.template().template()));
        SelfCallSearch.report(type, methods, context.settings().selfCalls());
        waiting.addAll(methods);
        if (started) {
            checkAll();
        }
    }

    @Override
    public void afterSingletonsInstantiated() {
        started = true;
        checkAll();
    }

    private void checkAll() {
        for (LockedMethod method = waiting.poll(); method != null; method = waiting.poll()) {
            checkClient(method);
            checkDataSource(method);
        }
    }

    private void checkClient(LockedMethod locked) {
        String client = locked.rules().client();
        try {
            checkLeastTime(locked, context.client(client));
        } catch (NoSuchBeanDefinitionException missing) {
            throw new InvalidLockedException(
                    locked.method(),
                    "client",
                    client,
                    client.isEmpty()
                            ? "there is not one LockClient, or one that is primary: " + missing.getMessage()
                            : "there is no bean of this name",
                    "Possible are " + List.of(beans.getBeanNamesForType(LockClient.class, true, false)));
        }
    }

    private static void checkLeastTime(LockedMethod locked, LockClient client) {
        locked.rules().atLeastFor().ifPresent(least -> {
            String refused = LeastTime.refused(client, least);
            if (refused != null) {
                InvalidLockedException invalid = new InvalidLockedException(
                        locked.method(), "atLeastFor", least.toString(), refused, "Leave it out, or use another store");
                invalid.initCause(new UnsupportedOperationException(refused));
                throw invalid;
            }
        });
    }

    private void checkDataSource(LockedMethod locked) {
        if (!locked.fenced()) {
            return;
        }
        Class<?> dataSource = ClassUtils.resolveClassName("javax.sql.DataSource", null);
        if (beans.getBeanNamesForType(dataSource, true, false).length == 0) {
            throw new InvalidLockedException(
                    locked.method(),
                    "fenced",
                    "true",
                    "there is no DataSource, and a fence is a table beside the data",
                    "Define a DataSource, or leave fenced out");
        }
    }
}
