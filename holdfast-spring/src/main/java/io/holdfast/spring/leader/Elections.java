package io.holdfast.spring.leader;

import io.holdfast.LockClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;

/**
 * The elections that {@link LeaderOnly} methods name: beans where there are some, otherwise made here, and started and
 * stopped with the application as those are.
 */
final class Elections implements SmartLifecycle {
    private final BeanFactory beans;
    private final ObjectProvider<Election> given;
    private final ApplicationEventPublisher events;
    private final Map<String, Election> made = new ConcurrentHashMap<>();
    private final Map<String, Election> known = new ConcurrentHashMap<>();
    private volatile boolean running;

    Elections(BeanFactory beans, ObjectProvider<Election> given, ApplicationEventPublisher events) {
        this.beans = beans;
        this.given = given;
        this.events = events;
    }

    /** The election of that name. One that is made while the application runs stands at once. */
    Election of(String name, String client) {
        Election found = known.get(name);
        return found != null ? found : find(name, client);
    }

    /** Not inside the map: a client that is looked up may connect, and a virtual thread would be pinned. */
    private Election find(String name, String client) {
        Optional<Election> bean =
                given.stream().filter(each -> each.name().equals(name)).findFirst();
        Election election = bean.orElseGet(() -> make(name, client));
        Election first = known.putIfAbsent(name, election);
        if (first != null) {
            return first; // what was made here stands for nothing yet
        }
        if (bean.isEmpty()) {
            made.put(name, election);
            if (running) {
                election.start();
            }
        }
        return election;
    }

    private Election make(String name, String client) {
        LockClient locks = client.isEmpty() ? beans.getBean(LockClient.class) : beans.getBean(client, LockClient.class);
        Election election = new Election(locks, name);
        election.setApplicationEventPublisher(events);
        return election;
    }

    @Override
    public void start() {
        running = true;
        made.values().forEach(Election::start);
    }

    @Override
    public void stop() {
        stop(() -> {});
    }

    @Override
    public void stop(Runnable callback) {
        running = false;
        List<Election> all = new ArrayList<>(made.values());
        AtomicInteger left = new AtomicInteger(all.size() + 1);
        Runnable one = () -> {
            if (left.decrementAndGet() == 0) {
                callback.run();
            }
        };
        all.forEach(each -> each.stop(one));
        one.run();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** As that of {@link Election#getPhase()}. */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }
}
