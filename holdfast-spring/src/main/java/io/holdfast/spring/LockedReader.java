package io.holdfast.spring;

import io.holdfast.Lease;
import io.holdfast.LockOptions;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/** Makes a {@link LockedMethod} of an annotated method, or says what is wrong with it. */
final class LockedReader {
    private static final boolean REACTOR =
            ClassUtils.isPresent("reactor.core.publisher.Mono", LockedReader.class.getClassLoader());

    private final Method method;
    private final Class<?> type;
    private final Locked locked;
    private final UnaryOperator<String> placeholders;

    private LockedReader(Method method, Class<?> type, Locked locked, UnaryOperator<String> placeholders) {
        this.method = method;
        this.type = type;
        this.locked = locked;
        this.placeholders = placeholders;
    }

    /** Reads a method of a bean of some type; {@code placeholders} resolves <code>${…}</code>. */
    static LockedMethod read(Method method, Class<?> type, Locked locked, UnaryOperator<String> placeholders) {
        return new LockedReader(method, type, locked, placeholders).read();
    }

    private LockedMethod read() {
        refuseWhatNoProxyCanReach();
        NameTemplate template = TemplateReader.read(method, resolved("value", locked.value()));
        LockedMethod.Style style = style();
        LockRules rules = rules();
        checkBusy(style);
        checkFence(style);
        return new LockedMethod(
                method, template, rules, locked.onBusy(), fallback(), style, heldParameters(), locked.fenced());
    }

    private void refuseWhatNoProxyCanReach() {
        int modifiers = method.getModifiers();
        String what = Modifier.isPrivate(modifiers)
                ? "private"
                : Modifier.isStatic(modifiers) ? "static" : Modifier.isFinal(modifiers) ? "final" : "";
        if (!what.isEmpty()) {
            throw new InvalidLockedException(
                    method,
                    "",
                    what,
                    "it is " + what + ", so no proxy can come before it and nothing would be locked",
                    "Make it a method that can be overridden, or use LockOperations inside");
        }
    }

    private String resolved(String attribute, String text) {
        try {
            return placeholders.apply(text);
        } catch (IllegalArgumentException unresolved) {
            throw invalid(
                    attribute,
                    text,
                    String.valueOf(unresolved.getMessage()),
                    "Set the property, or give a default: ${name:value}");
        }
    }

    private LockRules rules() {
        LockRules rules = LockRules.USUAL
                .withClient(resolved("client", locked.client()))
                .withKind(locked.kind(), permits())
                .withRelease(locked.release())
                .withOnLost(locked.onLost())
                .withOptions(options());
        Optional<Optional<Duration>> wait = read("waitFor", locked.waitFor(), Durations::wait);
        if (wait.isPresent()) {
            rules = rules.withWait(wait.get());
        }
        Optional<Duration> atLeast = read("atLeastFor", locked.atLeastFor(), Durations::parse);
        if (atLeast.isPresent()) {
            rules = rules.withAtLeastFor(atLeast.get());
        }
        if (locked.joining().length > 0) {
            rules = rules.withJoining(only("joining", locked.joining()));
        }
        return rules;
    }

    private int permits() {
        if (locked.permits() < 1) {
            throw invalid("permits", locked.permits(), "there is no such number of permits", "At least 1 is possible");
        }
        if (locked.permits() > 1 && locked.kind() != Locked.Kind.PERMIT) {
            throw invalid(
                    "permits", locked.permits(), "a " + locked.kind() + " has no permits", "Say kind = PERMIT as well");
        }
        return locked.permits();
    }

    /** Each value is tried on the defaults now, so that what is out of range is found at the start. */
    private UnaryOperator<LockOptions> options() {
        List<UnaryOperator<LockOptions>> changes = new ArrayList<>();
        read("lease", locked.lease(), Durations::parse)
                .ifPresent(lease -> changes.add(tried("lease", locked.lease(), options -> options.lease(lease))));
        read("maxHold", locked.maxHold(), Durations::parse)
                .ifPresent(most -> changes.add(tried("maxHold", locked.maxHold(), options -> options.maxHold(most))));
        if (locked.fairness().length > 0) {
            changes.add(options -> options.fairness(locked.fairness()[0]));
            only("fairness", locked.fairness());
        }
        if (!locked.label().isEmpty()) {
            String label = resolved("label", locked.label());
            changes.add(tried("label", label, options -> options.label(label)));
        }
        return options -> {
            LockOptions changed = options;
            for (UnaryOperator<LockOptions> change : changes) {
                changed = change.apply(changed);
            }
            return changed;
        };
    }

    private UnaryOperator<LockOptions> tried(String attribute, String value, UnaryOperator<LockOptions> change) {
        try {
            LockOptions unused = change.apply(LockOptions.defaults());
        } catch (IllegalArgumentException refused) {
            throw invalid(attribute, value, "it is out of range", String.valueOf(refused.getMessage()));
        }
        return change;
    }

    private <T> Optional<T> read(String attribute, String value, Function<String, T> parser) {
        String text = resolved(attribute, value);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(parser.apply(text));
        } catch (IllegalArgumentException unreadable) {
            throw invalid(attribute, text, "it cannot be read", String.valueOf(unreadable.getMessage()));
        }
    }

    private <T> T only(String attribute, T[] values) {
        if (values.length > 1) {
            throw invalid(attribute, Arrays.toString(values), "there are several values", "Give one of them, or none");
        }
        return values[0];
    }

    private LockedMethod.Style style() {
        Class<?> result = method.getReturnType();
        if (KotlinDetector.isSuspendingFunction(method)) {
            return LockedMethod.Style.ONE;
        }
        if (Future.class.isAssignableFrom(result) || result == java.util.concurrent.CompletionStage.class) {
            if (isAsync()) {
                return LockedMethod.Style.BLOCKING;
            }
            if (!result.isAssignableFrom(CompletableFuture.class)) {
                throw invalid(
                        "",
                        result.getSimpleName(),
                        "it returns a " + result.getName() + ", of which nobody can say when it has ended",
                        "Return a CompletableFuture, CompletionStage or Future");
            }
            return LockedMethod.Style.FUTURE;
        }
        return REACTOR ? ReactiveTypes.style(result) : LockedMethod.Style.BLOCKING;
    }

    private boolean isAsync() {
        return AnnotatedElementUtils.hasAnnotation(method, asyncType())
                || AnnotatedElementUtils.hasAnnotation(type, asyncType());
    }

    private static Class<? extends java.lang.annotation.Annotation> asyncType() {
        return org.springframework.scheduling.annotation.Async.class;
    }

    private void checkBusy(LockedMethod.Style style) {
        boolean primitive = method.getReturnType().isPrimitive() && method.getReturnType() != void.class;
        if (locked.onBusy() == Locked.OnBusy.SKIP && style == LockedMethod.Style.BLOCKING && primitive) {
            throw invalid(
                    "onBusy",
                    "SKIP",
                    "it returns " + method.getReturnType() + ", which cannot say that nothing was done",
                    "Return an Optional, an object or nothing, or choose THROW or FALLBACK");
        }
        if (locked.onBusy() != Locked.OnBusy.FALLBACK && !locked.fallback().isEmpty()) {
            throw invalid("fallback", locked.fallback(), "it is never called", "Say onBusy = FALLBACK as well");
        }
    }

    private void checkFence(LockedMethod.Style style) {
        if (!locked.fenced()) {
            return;
        }
        if (locked.kind() == Locked.Kind.READ || locked.kind() == Locked.Kind.PERMIT) {
            throw invalid(
                    "fenced",
                    true,
                    "a " + locked.kind() + " has several holders at once, and a fence lets in the newest only",
                    "Fence a LOCK or a WRITE");
        }
        if (style == LockedMethod.Style.ONE || style == LockedMethod.Style.MANY) {
            throw invalid(
                    "fenced",
                    true,
                    "it works on no thread, and the fence is entered on a JDBC connection",
                    "Fence a method that returns a value or a future");
        }
        if (!ClassUtils.isPresent("io.holdfast.fence.JdbcFence", LockedReader.class.getClassLoader())
                || !ClassUtils.isPresent(
                        "org.springframework.jdbc.datasource.DataSourceUtils", LockedReader.class.getClassLoader())) {
            throw invalid("fenced", true, "holdfast-fence or spring-jdbc is missing", "Add both to the class path");
        }
    }

    private @Nullable Method fallback() {
        if (locked.onBusy() != Locked.OnBusy.FALLBACK) {
            return null;
        }
        Method found = ClassUtils.getMethodIfAvailable(type, locked.fallback(), method.getParameterTypes());
        Class<?> owner = type;
        while (found == null && owner != null && owner != Object.class) {
            found = declared(owner);
            owner = owner.getSuperclass();
        }
        if (found == null || !method.getReturnType().isAssignableFrom(found.getReturnType())) {
            throw invalid(
                    "fallback",
                    locked.fallback(),
                    found == null
                            ? "there is no such method with the same parameters"
                            : "it returns " + found.getReturnType().getSimpleName(),
                    "Possible is a method of " + type.getSimpleName() + " with the parameters "
                            + Arrays.stream(method.getParameterTypes())
                                    .map(Class::getSimpleName)
                                    .toList()
                            + " that returns " + method.getReturnType().getSimpleName());
        }
        return found;
    }

    private @Nullable Method declared(Class<?> owner) {
        try {
            return owner.getDeclaredMethod(locked.fallback(), method.getParameterTypes());
        } catch (NoSuchMethodException missing) {
            return null;
        }
    }

    private List<Integer> heldParameters() {
        List<Integer> indexes = new ArrayList<>();
        for (int i = 0; i < method.getParameterCount(); i++) {
            if (!method.getParameters()[i].isAnnotationPresent(Held.class)) {
                continue;
            }
            Class<?> parameter = method.getParameterTypes()[i];
            if (parameter != Lease.class && parameter != List.class) {
                throw invalid(
                        "",
                        parameter.getSimpleName(),
                        "its parameter " + i + " is @Held and a " + parameter.getSimpleName(),
                        "@Held is for a Lease, or for a List of leases");
            }
            indexes.add(i);
        }
        return List.copyOf(indexes);
    }

    private InvalidLockedException invalid(String attribute, Object value, String problem, String possible) {
        return new InvalidLockedException(method, attribute, String.valueOf(value), problem, possible);
    }
}
