package io.holdfast.cli.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;

/**
 * Signals to this process. Java has no public way to hear them; {@code sun.misc.Signal} is there in every JDK and is
 * asked by reflection, because the compiler refuses to be silent about it.
 */
public final class Signals {
    private static final String SIGNAL = "sun.misc.Signal";
    private static final String HANDLER = "sun.misc.SignalHandler";

    private Signals() {}

    /**
     * From now on a signal, by its name without {@code SIG}, does nothing but this. Stays as it is where the JVM has
     * reserved the signal, or where it was ignored when this process began.
     *
     * @return whether it could be done
     */
    public static boolean handle(String name, Consumer<String> action) {
        try {
            Class<?> handlers = Class.forName(HANDLER);
            Object handler = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {handlers}, (proxy, method, args) -> {
                        if (method.getName().equals("handle")) {
                            action.accept(name);
                        }
                        return null;
                    });
            Object ignored = handlers.getField("SIG_IGN").get(null);
            if (handle(name, handler) == ignored) {
                handle(name, ignored);
            }
            return true;
        } catch (InvocationTargetException reserved) {
            return false;
        } catch (ReflectiveOperationException unknown) {
            throw new LinkageError("this JVM has no " + SIGNAL, unknown);
        }
    }

    /**
     * Does to this process what the system does if nobody handles the signal. Returns if we are still there, or there
     * again. Java does not raise a signal that it does not handle, so somebody else sends it.
     */
    static void obey(String name) {
        try {
            Object before =
                    handle(name, Class.forName(HANDLER).getField("SIG_DFL").get(null));
            new ProcessBuilder(
                            "sh",
                            "-c",
                            "kill -s " + name + " " + ProcessHandle.current().pid())
                    .start()
                    .onExit()
                    .join();
            handle(name, before);
        } catch (IOException none) {
            throw new UncheckedIOException("no shell could be started", none);
        } catch (ReflectiveOperationException unknown) {
            throw new LinkageError("this JVM has no " + SIGNAL, unknown);
        }
    }

    /** Returns the handler before this one. */
    private static Object handle(String name, Object handler) throws ReflectiveOperationException {
        Class<?> signals = Class.forName(SIGNAL);
        return signals.getMethod("handle", signals, Class.forName(HANDLER)).invoke(null, signal(name), handler);
    }

    /** The number of a signal on this system. */
    public static int number(String name) {
        try {
            Object signal = signal(name);
            return (int) signal.getClass().getMethod("getNumber").invoke(signal);
        } catch (ReflectiveOperationException unknown) {
            throw new LinkageError("this JVM has no " + SIGNAL, unknown);
        }
    }

    private static Object signal(String name) throws ReflectiveOperationException {
        return Class.forName(SIGNAL).getConstructor(String.class).newInstance(name);
    }
}
