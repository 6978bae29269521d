/**
 * Leaders among the processes of an application: {@link io.holdfast.spring.leader.LeaderOnly} on methods, {@link
 * io.holdfast.spring.leader.Election} as a bean, and events when leadership comes and goes. {@link
 * io.holdfast.spring.leader.EnableLeaders} switches the annotation on.
 *
 * <p>Sees the API of Holdfast and Spring, nothing of a store.
 */
@NullMarked
package io.holdfast.spring.leader;

import org.jspecify.annotations.NullMarked;
