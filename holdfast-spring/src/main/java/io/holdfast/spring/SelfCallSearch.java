package io.holdfast.spring;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/**
 * Finds calls of a class to its own {@link Locked} methods in its bytecode: those on {@code this}, and references such
 * as {@code this::ship}. They go past the proxy. A call on another object of the same class, such as the bean itself
 * that was injected, is none.
 */
final class SelfCallSearch {
    private static final System.Logger LOG = System.getLogger(SelfCallSearch.class.getName());

    /** One call. */
    record Found(Method called, String caller, int line) {}

    private final Map<String, Method> wanted = new HashMap<>();
    private final List<Found> found = new ArrayList<>();

    private SelfCallSearch(Collection<LockedMethod> methods) {
        methods.forEach(
                each -> wanted.put(each.method().getName() + Type.getMethodDescriptor(each.method()), each.method()));
    }

    static void report(Class<?> type, Collection<LockedMethod> methods, LockedSettings.SelfCalls what) {
        if (what == LockedSettings.SelfCalls.OFF) {
            return;
        }
        for (Found call : search(type, methods)) {
            String place = type.getSimpleName() + "." + call.caller() + " (line " + call.line() + ")";
            if (what == LockedSettings.SelfCalls.FAIL) {
                throw new InvalidLockedException(
                        call.called(),
                        "",
                        place,
                        place + " calls it past the proxy, so nothing is locked there",
                        "Call it through the bean (inject it into itself, or move the caller), or use LockOperations");
            }
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} calls {1}.{2} past the proxy, so nothing is locked there. Call it through the bean (inject it"
                            + " into itself, or move the caller), or use LockOperations",
                    place,
                    type.getSimpleName(),
                    call.called().getName());
        }
    }

    static List<Found> search(Class<?> type, Collection<LockedMethod> methods) {
        SelfCallSearch search = new SelfCallSearch(methods);
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            search.read(each);
        }
        return search.found;
    }

    private void read(Class<?> type) {
        String file = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
        try (InputStream code = type.getResourceAsStream(file)) {
            if (code != null) {
                new ClassReader(code).accept(new Methods(), ClassReader.SKIP_FRAMES);
            }
        } catch (IOException | IllegalArgumentException unreadable) {
            LOG.log(System.Logger.Level.DEBUG, "the bytecode of " + type + " cannot be searched", unreadable);
        }
    }

    private final class Methods extends ClassVisitor {
        Methods() {
            super(SpringAsmInfo.ASM_VERSION);
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access, String name, String descriptor, @Nullable String signature, String @Nullable [] thrown) {
            boolean bridge = (access & Opcodes.ACC_BRIDGE) != 0;
            boolean isStatic = Modifier.isStatic(access);
            boolean ofKotlin = name.contains("$lambda$") || name.endsWith("$suspendImpl");
            if (bridge || (isStatic && !ofKotlin)) {
                return null;
            }
            if (isStatic) {
                List<Found> calls = new ArrayList<>();
                return new OfKotlin(tracker(name.substring(0, name.indexOf('$')), calls), calls);
            }
            return tracker(name.startsWith("lambda$") ? name.split("\\$", -1)[1] : name, found);
        }

        private ThisTracker tracker(String caller, List<Found> calls) {
            return new ThisTracker((called, line) -> {
                Method locked = wanted.get(called);
                if (locked != null) {
                    calls.add(new Found(locked, caller, line));
                }
            });
        }
    }

    /**
     * Kotlin makes lambdas static, and the code of functions that suspend and can be overridden. If they have a
     * {@code this}, it comes first, and is a variable of one of two names.
     */
    private final class OfKotlin extends MethodVisitor {
        private final List<Found> calls;

        OfKotlin(ThisTracker tracker, List<Found> calls) {
            super(SpringAsmInfo.ASM_VERSION, tracker);
            this.calls = calls;
        }

        /** Called after the instructions, once or more for each variable. */
        @Override
        public void visitLocalVariable(
                String name, String descriptor, @Nullable String signature, Label start, Label end, int index) {
            if (index == 0 && (name.equals("this$0") || name.equals("$this"))) {
                found.addAll(calls);
                calls.clear();
            }
        }
    }
}
