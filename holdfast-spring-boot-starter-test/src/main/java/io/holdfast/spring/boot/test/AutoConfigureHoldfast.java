package io.holdfast.spring.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Gives a test the locks of the application on a store in memory: the same engine, and nobody else's locks. There is a
 * {@link HoldfastTester} to play the other processes.
 *
 * <p><b>Guarantees.</b> Each context has a store of its own. After each test method all locks are given back, and a
 * lock that the application left behind fails the test. Elections go on.
 *
 * <p><b>Not guaranteed.</b> A {@code LockClient} that the application makes itself is not replaced.
 *
 * <pre>{@code
 * @SpringBootTest
 * @AutoConfigureHoldfast
 * class ShippingTest {
 *     @Autowired
 *     HoldfastTester locks;
 *
 *     @Test
 *     void ship_whileSomebodyShips_isBusy() {
 *         locks.hold("order:42");
 *         assertThrows(LockBusyException.class, () -> shipping.ship(42));
 *     }
 * }
 * }</pre>
 *
 * @since 0.1
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureHoldfast {

    /**
     * Which store the test uses.
     *
     * @return that in memory, unless said
     */
    Replace replace() default Replace.ANY;

    /** Which store a test uses. */
    enum Replace {
        /** One in memory, whatever the application is configured to use. */
        ANY,
        /** The real one. Locks of other processes are left alone. */
        NONE
    }
}
