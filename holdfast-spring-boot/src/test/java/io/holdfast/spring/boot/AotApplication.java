package io.holdfast.spring.boot;

import io.holdfast.LockClient;
import io.holdfast.spring.CurrentLocks;
import io.holdfast.spring.LockOperations;
import io.holdfast.spring.Locked;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What {@link AotIT} processes ahead of time, and what runs with few libraries. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class AotApplication {

    /** What is shipped. */
    public record Order(int id) {}

    /** Locks by annotation: the name is read from the argument, and somebody is called instead. */
    public static class Shipping {

        /** Tells whether the lock is held. */
        @Locked("order:{p0.id}")
        public String ship(Order order) {
            return "shipped " + order.id() + ": "
                    + CurrentLocks.lease("order:" + order.id()).isValid();
        }

        /** Is never called while the lock of the first is held elsewhere. */
        @Locked(value = "order:{p0.id}", waitFor = "0", onBusy = Locked.OnBusy.FALLBACK, fallback = "later")
        public String shipNow(Order order) {
            return "shipped at once " + order.id();
        }

        String later(Order order) {
            return "later " + order.id();
        }
    }

    @Bean
    Shipping shipping() {
        return new Shipping();
    }

    /** Starts, locks, and ends. */
    public static void main(String[] arguments) {
        SpringApplication application = new SpringApplication(AotApplication.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setDefaultProperties(Map.of("holdfast.store", "memory"));
        try (ConfigurableApplicationContext context = application.run(arguments)) {
            boolean held = context.getBean(LockOperations.class)
                    .call("order:42", () -> CurrentLocks.lease("order:42").isValid());
            System.out.println("held in order:42: " + held);
            Shipping shipping = context.getBean(Shipping.class);
            System.out.println(shipping.ship(new Order(7)));
            String instead = context.getBean(LockClient.class)
                    .lock("order:8")
                    .call(lease -> CompletableFuture.supplyAsync(() -> shipping.shipNow(new Order(8)))
                            .join());
            System.out.println(instead);
        }
    }
}
