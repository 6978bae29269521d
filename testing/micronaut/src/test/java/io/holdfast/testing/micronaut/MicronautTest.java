package io.holdfast.testing.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockClient;
import io.micronaut.context.ApplicationContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class MicronautTest {

    @Test
    void client_asABean_isInjectedAndClosedWithTheContext() {
        LockClient locks;
        try (ApplicationContext context = ApplicationContext.run()) {
            locks = context.getBean(LockClient.class);

            assertThat(context.getBean(Orders.class).ship(42)).isPositive();
            assertThat(context.getBean(LockClient.class)).isSameAs(locks);
        }
        assertThatThrownBy(() -> locks.lock("order:42").tryAcquire()).isInstanceOf(IllegalStateException.class);
    }
}
