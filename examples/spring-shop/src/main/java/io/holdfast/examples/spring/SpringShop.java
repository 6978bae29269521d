package io.holdfast.examples.spring;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application. {@code examples/spring-shop/run} starts it. */
@SpringBootApplication
public class SpringShop {
    public static void main(String[] arguments) {
        SpringApplication.run(SpringShop.class, arguments);
    }
}
