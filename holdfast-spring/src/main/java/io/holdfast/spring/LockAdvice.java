package io.holdfast.spring;

import org.aopalliance.intercept.MethodInterceptor;

/** The advice that locks, as others in the chain recognise it. */
interface LockAdvice extends MethodInterceptor {}
