package io.holdfast.spring.event;

import io.holdfast.DeadlockDetected;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.spring.LockAtRiskEvent;
import io.holdfast.spring.LockDeadlockEvent;
import io.holdfast.spring.LockLostEvent;
import java.util.Objects;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes lost leases, leases at risk and deadlocks as application events: {@link LockLostEvent}, {@link
 * LockAtRiskEvent} and {@link LockDeadlockEvent}. Nothing else: acquiring and releasing is the hot path, and {@link
 * LockListener} is for that.
 *
 * <p>{@code @EnableLocks}, and so Spring Boot, adds one to every client that is a bean. To any other client:
 *
 * <pre>{@code
 * locks.addListener(new LockEventPublisher(applicationContext));
 * }</pre>
 *
 * <p><b>Threads.</b> Events come on a thread of the client; a listener must be quick, or asynchronous.
 *
 * <p><b>Failures.</b> What a listener throws is logged by the client once, and disturbs nothing else.
 *
 * @since 0.1
 */
public final class LockEventPublisher implements LockListener {
    private final ApplicationEventPublisher events;

    /**
     * A listener to be added to clients.
     *
     * @param events such as the application context
     */
    public LockEventPublisher(ApplicationEventPublisher events) {
        this.events = Objects.requireNonNull(events, "events");
    }

    @Override
    public void on(LockEvent event) {
        if (event instanceof LockEvent.Lost lost) {
            events.publishEvent(new LockLostEvent(lost.kind(), lost.name(), lost.token(), lost.reason()));
        } else if (event instanceof LockEvent.AtRisk risk) {
            events.publishEvent(new LockAtRiskEvent(risk.kind(), risk.name(), risk.token(), risk.remaining()));
        } else if (event instanceof DeadlockDetected found) {
            events.publishEvent(new LockDeadlockEvent(found.kind(), found.name(), found.deadlock()));
        }
    }
}
