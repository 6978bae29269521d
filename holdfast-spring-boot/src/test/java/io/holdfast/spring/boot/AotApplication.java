package io.holdfast.spring.boot;

import io.holdfast.spring.CurrentLocks;
import io.holdfast.spring.Locked;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What {@link AotIT} processes ahead of time. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class AotApplication {

    /** Starts, locks, and ends. */
    public static void main(String[] arguments) {
        SpringApplication application = new SpringApplication(AotApplication.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setDefaultProperties(Map.of("holdfast.store", "memory"));
        try (ConfigurableApplicationContext context = application.run(arguments)) {
            System.out.println(
                    "held in order:42: " + context.getBean(Orders.class).ship(42));
        }
    }

    @Bean
    Orders orders() {
        return new Orders();
    }

    /** Has a method that is locked. */
    public static class Orders {

        /** Tells whether it was. */
        @Locked("order:{order}")
        public boolean ship(int order) {
            return CurrentLocks.lease("order:" + order).isValid();
        }
    }
}
