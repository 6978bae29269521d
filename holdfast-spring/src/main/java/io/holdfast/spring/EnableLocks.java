package io.holdfast.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Switches {@link Locked} on, in Spring without Boot. Needs a bean of type {@link io.holdfast.LockClient}; a bean of
 * type {@link LockedSettings} changes the defaults. Makes beans of type {@link LockOperations} and {@link LockGroups}
 * where there are none.
 *
 * <pre>{@code
 * @Configuration
 * @EnableLocks
 * class Locks {
 *     @Bean
 *     LockClient locks() {
 *         return RedisLocks.connect("redis://localhost:6379");
 *     }
 * }
 * }</pre>
 *
 * @since 0.1
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@SuppressWarnings("exports") // whoever annotates with this need not see what it imports
@Import({LockProxies.class, LocksConfiguration.class})
public @interface EnableLocks {

    /**
     * Whether proxies are subclasses even where a bean has an interface. Counts for all proxies of the application.
     *
     * @return true for subclasses
     */
    boolean proxyTargetClass() default false;
}
