package io.holdfast.spring.boot;

import io.holdfast.LockEvent;
import io.holdfast.LockKind;
import io.holdfast.LockListener;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/** Which elections this process stands in, and which it leads with which token: {@code holdfast.elections} of info. */
final class ElectionsInfo implements LockListener, InfoContributor {
    private static final long NOT_LEADING = -1;

    private final Map<String, Long> terms = new ConcurrentSkipListMap<>();

    @Override
    public void on(LockEvent event) {
        if (event.kind() != LockKind.ELECTION) {
            return;
        }
        if (event instanceof LockEvent.Acquired acquired) {
            terms.put(event.name(), acquired.token());
        } else if (event instanceof LockEvent.Released || event instanceof LockEvent.Lost) {
            terms.put(event.name(), NOT_LEADING);
        } else if (event instanceof LockEvent.Contended) {
            terms.putIfAbsent(event.name(), NOT_LEADING);
        }
    }

    @Override
    public void contribute(Info.Builder builder) {
        if (terms.isEmpty()) {
            return;
        }
        Map<String, Object> elections = new LinkedHashMap<>();
        terms.forEach((name, token) -> elections.put(
                name, token == NOT_LEADING ? Map.of("leader", false) : Map.of("leader", true, "token", token)));
        builder.withDetail("holdfast", Map.of("elections", elections));
    }
}
