package io.holdfast.spring;

import java.lang.reflect.Method;
import java.time.Duration;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Calls that return publishers. A Kotlin function that suspends is one: Spring makes it a {@link Mono}. */
final class ReactiveHandler implements CallHandler, AopInfrastructureBean {
    private final ReactiveCalls calls;
    private final Transactions transactions;

    ReactiveHandler(ReactiveCalls calls, Transactions transactions) {
        this.calls = calls;
        this.transactions = transactions;
    }

    @Override
    public Object handle(LockedMethod locked, MethodInvocation invocation) {
        Method method = locked.method();
        LockedCall call = locked.call(invocation.getArguments());
        Flux<Object> flux = calls.many(
                locked.rules(),
                call,
                () -> transactions.isOwn(invocation),
                section -> publisher(method, HeldArguments.copy(locked, invocation, section)),
                (same, waited) -> instead(locked, invocation, same, waited));
        return result(method, flux);
    }

    @Override
    public Object innermost(MethodInvocation invocation) {
        Method method = invocation.getMethod();
        return result(method, calls.guarded(publisher(method, invocation)));
    }

    @Override
    public Object eachTime(MethodInvocation invocation) {
        Method method = invocation.getMethod();
        ProxyMethodInvocation call = (ProxyMethodInvocation) invocation;
        return result(method, Flux.defer(() -> publisher(method, call.invocableClone())));
    }

    private static Publisher<Object> publisher(Method method, MethodInvocation invocation) {
        try {
            return publisher(method, invocation.proceed());
        } catch (Throwable thrown) {
            return Flux.error(thrown);
        }
    }

    @SuppressWarnings("unchecked") // the elements are whatever they are
    private static Publisher<Object> publisher(Method method, @Nullable Object result) {
        if (result instanceof Publisher<?> publisher) {
            return (Publisher<Object>) publisher;
        }
        ReactiveAdapter adapter = adapter(method);
        if (adapter == null) {
            return Mono.justOrEmpty(result);
        }
        return (Publisher<Object>) (Publisher<?>) adapter.toPublisher(result);
    }

    private static Publisher<Object> instead(
            LockedMethod locked, MethodInvocation invocation, LockedCall call, Duration waited) {
        try {
            return publisher(locked.method(), Busy.instead(locked, invocation, call, waited));
        } catch (Throwable thrown) {
            return Flux.error(Exceptions.unwrap(thrown));
        }
    }

    private static Object result(Method method, Flux<Object> flux) {
        ReactiveAdapter adapter = adapter(method);
        if (adapter == null) {
            return flux.singleOrEmpty();
        }
        Object result = adapter.fromPublisher(adapter.isMultiValue() ? flux : flux.singleOrEmpty());
        return result == null ? Mono.empty() : result;
    }

    /** Null for a function that suspends: its proxy expects a {@link Mono}. */
    private static @Nullable ReactiveAdapter adapter(Method method) {
        return KotlinDetector.isSuspendingFunction(method)
                ? null
                : ReactiveAdapterRegistry.getSharedInstance().getAdapter(method.getReturnType());
    }
}
