package io.holdfast.spring.boot;

import io.holdfast.spring.CurrentLocks;
import io.holdfast.spring.LockOperations;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
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
            boolean held = context.getBean(LockOperations.class)
                    .call("order:42", () -> CurrentLocks.lease("order:42").isValid());
            System.out.println("held in order:42: " + held);
        }
    }
}
