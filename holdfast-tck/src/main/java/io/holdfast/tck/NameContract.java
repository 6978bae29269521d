package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/**
 * Any valid name is a lock of its own, and any other is refused.
 *
 * @since 0.1
 */
public abstract class NameContract extends Contract {

    /** For subclasses. */
    protected NameContract() {}

    /** Names that are easily taken for one another. */
    private static List<String> hostile() {
        String base = name("a");
        List<String> names = new ArrayList<>(List.of(
                base,
                '{' + base + '}',
                base + "{b}",
                base + "{}",
                '{' + base,
                base + '}',
                '}' + base + '{',
                base + '\n',
                base + "\r\n",
                base + '\0',
                base + "\0b",
                base + '\t',
                base + ' ',
                ' ' + base,
                base + ':',
                base + ':' + base,
                base + '*',
                base + '?',
                base + "[a]",
                base + '%',
                base + "%00",
                base + "%7B",
                base + '\\',
                base + "\\n",
                base + '"',
                base + '\'',
                base + "/../b",
                base + '~',
                base + '@',
                base + '#',
                base + '\u007f',
                base + '\u0001',
                base + '\u0085',
                base + '\u2028',
                base + "\ufeff",
                base + "\ufffd",
                base + "\uffff",
                base + "e\u0301",
                base + '\u00e9',
                base + '\u0130',
                base + 'i',
                base + 'I',
                base + "\ud83d\udd12",
                base + "\ud83d\udd13",
                base + "\u05d0\u05d1"));
        names.add(base + "x".repeat(512 - base.length()));
        names.add(base + "x".repeat(511 - base.length()) + 'y');
        names.add("\ud83d\udd12".repeat(120) + base);
        return names;
    }

    @Test
    void lock_hostileNames_areAllDifferentAndTheSameForEverybody() {
        LockClient client = client();
        Map<String, Lease> held = new TreeMap<>();
        for (String name : hostile()) {
            Lease lease = client.lock(name)
                    .tryAcquire()
                    .orElseThrow(() -> new AssertionError("collides with another: " + name));
            assertThat(lease.name()).isEqualTo(name);
            held.put(name, lease);
        }
        held.forEach((name, lease) -> {
            assertHeld(name);
            assertThat(lease.isValid()).isTrue();
            assertThat(observer().look(new Resource(LockKind.LOCK, name, 1)))
                    .satisfies(view -> assertThat(view.resource().name()).isEqualTo(name))
                    .extracting(ResourceView::holders)
                    .asInstanceOf(InstanceOfAssertFactories.LIST)
                    .hasSize(1);
        });
        held.values().forEach(Lease::close);
        held.keySet().forEach(this::assertFree);
    }

    @Test
    void everyKind_hostileNames_work() {
        LockClient client = client();
        for (String name : hostile()) {
            try (Lease write =
                            client.readWriteLock(name).writeLock().tryAcquire().orElseThrow();
                    Lease permits =
                            client.semaphore(name, 2).taking(2).tryAcquire().orElseThrow()) {
                assertThat(stranger().readWriteLock(name).readLock().tryAcquire())
                        .isEmpty();
                assertThat(stranger().semaphore(name, 2).tryAcquire()).isEmpty();
                assertThat(write.isValid() && permits.isValid()).isTrue();
            }
            client.latch(name, 2).countDown();
        }
    }

    @Test
    void list_hostileNames_findsThemAsTheyAre() {
        List<String> names = hostile();
        String base = names.get(0);
        LockClient client = client();
        List<Lease> leases =
                names.stream().map(name -> client.lock(name).acquire()).toList();
        List<String> expected =
                names.stream().filter(name -> name.startsWith(base)).toList();
        try (Stream<ResourceView> found = observer().backend().list(base)) {
            assertThat(found.map(view -> view.resource().name())).containsExactlyInAnyOrderElementsOf(expected);
        }
        try (Stream<ResourceView> found = observer().backend().list(base + '*')) {
            assertThat(found.map(view -> view.resource().name())).containsExactly(base + '*');
        }
        try (Stream<ResourceView> found = observer().backend().list(base + '{')) {
            assertThat(found.map(view -> view.resource().name())).containsExactlyInAnyOrder(base + "{b}", base + "{}");
        }
        leases.forEach(Lease::close);
    }

    @Test
    void name_longest_is512Bytes() {
        LockClient client = client();
        String longest = "\u00e9".repeat(256);
        assertThat(longest.getBytes(StandardCharsets.UTF_8)).hasSize(512);
        assertThat(client.lock(longest).name()).isEqualTo(longest);
        forEveryKind((kind, open) -> {
            assertThatThrownBy(() -> open.accept(client, longest + 'x'))
                    .as(kind)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("513")
                    .hasMessageContaining("512");
            assertThatThrownBy(() -> open.accept(client, "\ud83d\udd12".repeat(129)))
                    .as(kind)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("512");
        });
    }

    @Test
    void name_empty_isRefused() {
        LockClient client = client();
        forEveryKind((kind, open) -> assertThatThrownBy(() -> open.accept(client, ""))
                .as(kind)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name"));
    }

    @Test
    void name_null_isRefused() {
        LockClient client = client();
        forEveryKind((kind, open) -> assertThatThrownBy(() -> open.accept(client, nothing()))
                .as(kind)
                .isInstanceOf(NullPointerException.class));
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // The point of the test is to break this rule.
    private static <T> T nothing() {
        return null;
    }

    @Test
    void name_notUnicode_isRefused() {
        LockClient client = client();
        for (String broken : List.of("a\ud83d", "\udd12a", "a\ud83db", "\udd12\ud83d")) {
            forEveryKind((kind, open) -> assertThatThrownBy(() -> open.accept(client, broken))
                    .as(kind)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("surrogate"));
        }
    }

    private static void forEveryKind(BiConsumer<String, BiConsumer<LockClient, String>> check) {
        check.accept("lock", LockClient::lock);
        check.accept("readWriteLock", LockClient::readWriteLock);
        check.accept("semaphore", (client, name) -> client.semaphore(name, 1));
        check.accept("allOf", (client, name) -> client.allOf("fine", name));
        check.accept("election", LockClient::election);
        check.accept("latch", (client, name) -> client.latch(name, 1));
    }
}
