package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockClient;
import io.holdfast.LockOptions;
import io.holdfast.spring.LockLostEvent;
import io.holdfast.spring.leader.LeaderGranted;
import io.holdfast.spring.leader.LeaderOnly;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;

/** Leaders and events come with the starter. */
class LeadersTest {
    private final ApplicationContextRunner memory = new ApplicationContextRunner()
            .withConfiguration(Boot.holdfast())
            .withPropertyValues("holdfast.store=memory");

    static class Billing {
        @LeaderOnly("billing")
        public String send() {
            return "bill";
        }
    }

    static class Ear {
        private final List<Object> heard = new CopyOnWriteArrayList<>();

        @EventListener
        void granted(LeaderGranted event) {
            heard.add(event);
        }

        @EventListener
        void lost(LockLostEvent event) {
            heard.add(event);
        }
    }

    @Test
    void leaderOnly_methodOfABean_runsWhenItLeads() {
        memory.withBean(Billing.class).withBean(Ear.class).run(context -> {
            await().until(() -> !context.getBean(Ear.class).heard.isEmpty());
            assertThat(context.getBean(Billing.class).send()).isEqualTo("bill");
        });
    }

    @Test
    void events_lostLease_arePublished() {
        memory.withBean(Ear.class).run(context -> {
            context.getBean(LockClient.class)
                    .lock("a", LockOptions.defaults().fixedLease(Duration.ofMillis(100)))
                    .acquire();
            await().until(() -> context.getBean(Ear.class).heard.stream().anyMatch(LockLostEvent.class::isInstance));
        });
    }
}
