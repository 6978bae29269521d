/**
 * What happens to locks, as application events: {@link io.holdfast.spring.event.LockEventPublisher}.
 */
@NullMarked
package io.holdfast.spring.event;

import org.jspecify.annotations.NullMarked;
