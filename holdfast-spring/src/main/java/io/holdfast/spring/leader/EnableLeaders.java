package io.holdfast.spring.leader;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Switches {@link LeaderOnly} on, in Spring without Boot. Needs a bean of type {@link io.holdfast.LockClient}. {@link
 * Election} beans need no annotation.
 *
 * @since 0.1
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@SuppressWarnings("exports") // whoever annotates with this need not see what it imports
@Import(LeaderConfiguration.class)
public @interface EnableLeaders {}
