package io.holdfast.comparison.spring;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.metrics.buffering.BufferingApplicationStartup;
import org.springframework.boot.context.metrics.buffering.StartupTimeline.TimelineEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * One start of an application with the {@link Starter} of the first argument. Says how long the beans of the starter
 * took in Boot's timeline and how long everything took; then, for each line that it is sent, how many threads it has.
 */
final class MeasuredStart {
    private static final int STEPS = 10_000;

    private MeasuredStart() {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    public static void main(String[] arguments) throws IOException {
        Starter starter = Starter.valueOf(arguments[0]);
        BufferingApplicationStartup startup = new BufferingApplicationStartup(STEPS);
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setApplicationStartup(startup);
        long beganNanos = System.nanoTime();
        try (ConfigurableApplicationContext context = application.run(arguments)) {
            long wholeNanos = System.nanoTime() - beganNanos;
            System.out.println(timeOfBeans(startup, starter).toNanos() + " " + wholeNanos);
            while (System.in.read() == '\n') {
                System.out.println(Thread.getAllStackTraces().size());
            }
        }
    }

    private static Duration timeOfBeans(BufferingApplicationStartup startup, Starter starter) {
        Map<Long, TimelineEvent> events = new HashMap<>();
        Set<Long> its = new HashSet<>();
        for (TimelineEvent event : startup.getBufferedTimeline().getEvents()) {
            long id = event.getStartupStep().getId();
            events.put(id, event);
            event.getStartupStep().getTags().forEach(tag -> {
                if (tag.getKey().equals("beanName") && starter.isItsBean(tag.getValue())) {
                    its.add(id);
                }
            });
        }
        Duration sum = Duration.ZERO;
        for (TimelineEvent event : events.values()) {
            long id = event.getStartupStep().getId();
            if (its.contains(id) && !isInside(id, its, events)) { // what is made for another one is counted there
                sum = sum.plus(event.getDuration());
            }
        }
        return sum;
    }

    private static boolean isInside(long id, Set<Long> its, Map<Long, TimelineEvent> events) {
        TimelineEvent event = events.get(id);
        Long parent = event == null ? null : event.getStartupStep().getParentId();
        return parent != null && (its.contains(parent) || isInside(parent, its, events));
    }
}
