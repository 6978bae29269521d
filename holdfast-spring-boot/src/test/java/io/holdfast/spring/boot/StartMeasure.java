package io.holdfast.spring.boot;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.metrics.buffering.BufferingApplicationStartup;
import org.springframework.boot.context.metrics.buffering.StartupTimeline.TimelineEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * Not a test: one start of an application, and how much of Boot's timeline is that of our beans. Takes the properties
 * of the application as arguments, for instance {@code --holdfast.redis.url=redis://localhost:6379}.
 */
public final class StartMeasure {
    private static final int STEPS = 10_000;

    private StartMeasure() {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    public static void main(String[] arguments) throws Exception {
        BufferingApplicationStartup startup = new BufferingApplicationStartup(STEPS);
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setApplicationStartup(startup);
        try (ConfigurableApplicationContext context = application.run(arguments)) {
            Map<Long, String> ours = new LinkedHashMap<>();
            Map<Long, TimelineEvent> events = new LinkedHashMap<>();
            startup.getBufferedTimeline().getEvents().forEach(each -> {
                events.put(each.getStartupStep().getId(), each);
                each.getStartupStep().getTags().forEach(tag -> {
                    if (tag.getKey().equals("beanName") && isOurs(tag.getValue())) {
                        ours.put(each.getStartupStep().getId(), tag.getValue());
                    }
                });
            });
            Duration sum = Duration.ZERO;
            for (Map.Entry<Long, String> each : ours.entrySet()) {
                TimelineEvent event = events.get(each.getKey());
                Long parent = event.getStartupStep().getParentId();
                if (parent == null || !ours.containsKey(parent)) { // what is made inside of ours is counted there
                    sum = sum.plus(event.getDuration());
                }
            }
            TimeUnit.SECONDS.sleep(3); // idle
            long threads = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().startsWith("holdfast"))
                    .count();
            System.out.println("our beans: " + sum.toMillis() + " ms, threads: " + threads + ", " + ours.values());
            if (System.in.read() < 0) { // until whoever counts connections has done so
                context.stop();
            }
        }
    }

    private static boolean isOurs(String bean) {
        return bean.startsWith("holdfast") || bean.startsWith("io.holdfast") || bean.startsWith("lock");
    }
}
