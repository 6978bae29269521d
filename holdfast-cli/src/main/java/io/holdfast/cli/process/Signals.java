package io.holdfast.cli.process;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;

/**
 * Signals to this process. Java has no public way to hear them; {@code sun.misc.Signal} is there in every JDK and is asked by reflection, because the compiler refuses to be
 * silent about it.
 */
public final class Signals {
    private static final String SIGNAL = "sun.misc.Signal";
    private static final String HANDLER = "sun.misc.SignalHandler";

    private Signals() {}

    /**
     * From now on a signal, by its name without {@code SIG}, does nothing but this. Stays as it is where the JVM has reserved the signal, or where it was ignored when this
     * process began.
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
            Class<?> signals = Class.forName(SIGNAL);
            signals.getMethod("handle", signals, handlers).invoke(null, signal(name), handler);
            return true;
        } catch (InvocationTargetException reserved) {
            return false;
        } catch (ReflectiveOperationException unknown) {
            throw new LinkageError("this JVM has no " + SIGNAL, unknown);
        }
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
