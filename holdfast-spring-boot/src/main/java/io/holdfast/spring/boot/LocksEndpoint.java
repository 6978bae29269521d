package io.holdfast.spring.boot;

import io.holdfast.LockClient;
import io.holdfast.LockInspector;
import io.holdfast.LockKind;
import io.holdfast.LockStatus;
import io.holdfast.spring.boot.LocksReport.Shown;
import java.security.Principal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Everybody's locks over HTTP: {@code GET /actuator/locks?prefix=&limit=&deadlocks=}, {@code GET
 * /actuator/locks/{kind}/{name}}, and {@code DELETE /actuator/locks/{kind}/{name}?client=&claim=}, which takes a lock
 * away from its holder.
 *
 * <p><b>Guarantees.</b> Looking changes nothing. Breaking needs {@code management.endpoint.locks.access=unrestricted},
 * and writes an audit event. Names and labels are masked unless {@code management.endpoint.locks.show-values} allows
 * it.
 *
 * <p><b>Not guaranteed.</b> What is seen may be over already.
 *
 * <p><b>Threads.</b> Safe for use by any number of threads.
 *
 * <p><b>Failures.</b> 400 for a limit out of range or a kind that does not exist; 404 for a lock that nobody holds and
 * nobody waits for.
 *
 * @since 0.1
 */
@WebEndpoint(id = "locks", defaultAccess = Access.READ_ONLY)
public final class LocksEndpoint {
    private static final int DEFAULT_LIMIT = 100;
    private static final int MOST = 1_000;

    /** The type of the audit event. */
    static final String BROKEN = "HOLDFAST_LOCK_BROKEN";

    private final Supplier<LockClient> client;
    private final Supplier<Stream<LockClient>> all;
    private final Show showValues;
    private final Set<String> roles;
    private final ApplicationEventPublisher events;

    /** {@code client} looks at the store; {@code all} are those of this process. */
    LocksEndpoint(
            Supplier<LockClient> client,
            Supplier<Stream<LockClient>> all,
            Show showValues,
            Set<String> roles,
            ApplicationEventPublisher events) {
        this.client = client;
        this.all = all;
        this.showValues = showValues;
        this.roles = Set.copyOf(roles);
        this.events = events;
    }

    /**
     * Lists locks.
     *
     * @param security who asks
     * @param prefix how names begin; all if not given
     * @param limit how many at most, from 1 to 1,000; 100 if not given
     * @param deadlocks true to look for deadlocks too, which takes some seconds if there may be one
     * @return the locks, and whether there are more
     */
    @ReadOperation
    @SuppressWarnings("deprecation") // Boot 3.5 knows no other annotation of what may be missing
    public LocksReport locks(
            SecurityContext security,
            @org.springframework.lang.Nullable @Nullable String prefix,
            @org.springframework.lang.Nullable @Nullable Integer limit,
            @org.springframework.lang.Nullable @Nullable Boolean deadlocks) {
        int most = limit == null ? DEFAULT_LIMIT : limit;
        if (most < 1 || most > MOST) {
            throw new InvalidEndpointRequestException(
                    "limit is " + most + ", expected 1 to " + MOST, "limit must be 1 to " + MOST);
        }
        Shown shown = shown(security);
        try (Stream<LockStatus> all = inspector().list(prefix == null ? "" : prefix)) {
            List<LockStatus> found = all.limit(most + 1L).toList();
            List<LocksReport.Lock> locks =
                    found.stream().limit(most).map(shown::lock).toList();
            List<LocksReport.Circle> circles = deadlocks != null && deadlocks
                    ? inspector().deadlocks().stream().map(shown::circle).toList()
                    : null;
            return new LocksReport(locks, found.size() > most, circles);
        }
    }

    /**
     * Shows one lock.
     *
     * @param security who asks
     * @param kind lock, read-write, semaphore, election or latch
     * @param name the name, which may have slashes
     * @return the lock, or 404
     */
    @ReadOperation
    public WebEndpointResponse<LocksReport.Lock> lock(
            SecurityContext security, @Selector String kind, @Selector(match = Match.ALL_REMAINING) String... name) {
        return find(kind, name)
                .map(status -> new WebEndpointResponse<>(shown(security).lock(status)))
                .orElseGet(() -> new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND));
    }

    /**
     * Takes a lock away from its holder, or a waiter out of the line.
     *
     * @param security who asks
     * @param client the id of the client, as it is shown
     * @param claim the number of the claim, as it is shown
     * @param kind lock, read-write, semaphore, election or latch
     * @param name the name, which may have slashes
     * @return 204, or 404 if it was over already
     */
    @DeleteOperation
    public WebEndpointResponse<Void> breakClaim(
            SecurityContext security,
            String client,
            long claim,
            @Selector String kind,
            @Selector(match = Match.ALL_REMAINING) String... name) {
        Optional<LockStatus> lock = find(kind, name);
        boolean broken = lock.isPresent()
                && Stream.concat(
                                lock.get().holders().stream().<LockStatus.Claimant>map(each -> each),
                                lock.get().waiters().stream())
                        .filter(each -> each.client().id().equals(client) && each.claim() == claim)
                        .findFirst()
                        .map(each -> inspector().breakClaim(lock.get(), each))
                        .orElse(false);
        if (!broken) {
            return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
        }
        Principal principal = security.getPrincipal();
        events.publishEvent(new AuditApplicationEvent(
                principal == null ? "anonymous" : principal.getName(),
                BROKEN,
                Map.of("kind", kind, "name", lock.get().name(), "client", client, "claim", claim)));
        return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT);
    }

    private Optional<LockStatus> find(String kind, String[] name) {
        return inspector().find(kind(kind), String.join("/", name));
    }

    private static LockKind kind(String kind) {
        try {
            return LockKind.valueOf(kind.toUpperCase(Locale.ROOT).replace('-', '_'));
        } catch (IllegalArgumentException unknown) {
            throw new InvalidEndpointRequestException(
                    "kind is '" + kind + "', expected lock, read-write, semaphore, election or latch",
                    "kind must be lock, read-write, semaphore, election or latch");
        }
    }

    private Shown shown(SecurityContext security) {
        Set<String> here = all.get().map(LockClient::id).collect(Collectors.toSet());
        return new Shown(here, showValues.isShown(security, roles));
    }

    private LockInspector inspector() {
        return client.get().inspector();
    }
}
