package io.holdfast.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Fields with a compare-and-set, without an object of their own for each. */
final class Fields {
    private Fields() {}

    /** The handle of a field of the class that looks it up. */
    static VarHandle of(MethodHandles.Lookup owner, String name, Class<?> type) {
        try {
            return owner.findVarHandle(owner.lookupClass(), name, type);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }
}
