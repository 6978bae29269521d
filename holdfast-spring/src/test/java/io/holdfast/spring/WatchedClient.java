package io.holdfast.spring;

import io.holdfast.Acquirable;
import io.holdfast.DistributedReadWriteLock;
import io.holdfast.LockClient;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A client that writes down what it is asked for, and what its locks are. */
final class WatchedClient {
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private final Runnable beforeEach;

    /** One call of a client or one of its locks. */
    record Asked(String method, List<Object> arguments) {

        <T> T argument(Class<T> type) {
            return arguments.stream()
                    .filter(type::isInstance)
                    .map(type::cast)
                    .findFirst()
                    .orElseThrow();
        }
    }

    WatchedClient(Runnable beforeEach) {
        this.beforeEach = beforeEach;
    }

    LockClient watch(LockClient client) {
        return watched(LockClient.class, client);
    }

    List<Asked> asked(String method) {
        return asked.stream().filter(each -> each.method().equals(method)).toList();
    }

    private <T> T watched(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    asked.add(new Asked(method.getName(), arguments == null ? List.of() : List.of(arguments)));
                    return inside(invoke(method, target, arguments), method);
                }));
    }

    private Object invoke(Method method, Object target, Object[] arguments) throws Throwable {
        if (method.getName().startsWith("tryAcquire")) {
            beforeEach.run();
        }
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    @SuppressWarnings("unchecked") // the type is that of the method
    private Object inside(Object result, Method method) {
        Class<?> type = method.getReturnType();
        return Acquirable.class.isAssignableFrom(type) || type == DistributedReadWriteLock.class
                ? watched((Class<Object>) type, result)
                : result;
    }
}
