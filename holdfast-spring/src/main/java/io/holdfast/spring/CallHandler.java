package io.holdfast.spring;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Runs calls of one style. */
interface CallHandler {

    /** Runs the rest of the chain under the lock. */
    @Nullable
    Object handle(LockedMethod locked, MethodInvocation invocation) throws Throwable;

    /** Runs the rest of the chain anew for each subscription. */
    Object eachTime(MethodInvocation invocation);

    /** At the end of the chain, inside of every transaction: runs the method itself. */
    @Nullable
    Object innermost(MethodInvocation invocation) throws Throwable;
}
