package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedReadWriteLock;
import io.holdfast.Fairness;
import io.holdfast.Lease;
import io.holdfast.LockClient;
import io.holdfast.LockKind;
import io.holdfast.LockOptions;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Fencing tokens grow from hand-out to hand-out, whatever lies between them.
 *
 * @since 0.1
 */
public abstract class TokenContract extends Contract {

    /** For subclasses. */
    protected TokenContract() {}

    @Test
    void token_severalClientsInTurn_grows() {
        String name = name("turns");
        List<LockClient> clients = List.of(client(), client(), client());
        List<Long> tokens = new ArrayList<>();
        for (int turn = 0; turn < 30; turn++) {
            try (Lease lease = clients.get(turn % 3).lock(name).acquire()) {
                tokens.add(lease.token());
            }
        }
        assertGrowing(tokens, 30);
    }

    @Test
    void token_passedOnInsideClientsAndBetweenThem_grows() {
        assertGrowing(tokensUnderContention(defaults()), 4 * 6 * 25);
    }

    @TestWith(Ability.ANNOUNCEMENTS)
    void token_firstComeFirstServed_grows() {
        assertGrowing(tokensUnderContention(defaults().fairness(Fairness.FIFO)), 4 * 6 * 25);
    }

    /** Four clients with six threads each write down their tokens in the order in which they hold the lock. */
    private List<Long> tokensUnderContention(LockOptions options) {
        String name = name("contended");
        List<Long> tokens = new ArrayList<>();
        for (int c = 0; c < 4; c++) {
            LockClient client = client(options);
            for (int t = 0; t < 6; t++) {
                crew().run("contender " + c + '.' + t, () -> {
                    for (int round = 0; round < 25; round++) {
                        try (Lease lease = client.lock(name).acquire()) {
                            tokens.add(lease.token());
                        }
                    }
                });
            }
        }
        crew().finish();
        return tokens;
    }

    @Test
    void token_afterAnExpiredLease_grows() {
        String name = name("expired");
        Lease first = client().lock(name, fixedLease(300)).acquire();
        try (Lease second = client().lock(name).acquire()) {
            assertThat(second.token()).isGreaterThan(first.token());
        }
    }

    @Test
    void token_readersAndWriters_shareOneSequence() {
        DistributedReadWriteLock one = client().readWriteLock(name("catalog"));
        DistributedReadWriteLock other = client().readWriteLock(one.name());
        List<Long> tokens = new ArrayList<>();
        for (int round = 0; round < 5; round++) {
            try (Lease reading = one.readLock().acquire();
                    Lease alsoReading = other.readLock().acquire()) {
                tokens.add(reading.token());
                tokens.add(alsoReading.token());
            }
            try (Lease writing = other.writeLock().acquire()) {
                tokens.add(writing.token());
            }
        }
        assertGrowing(tokens, 15);
    }

    @Test
    void token_permitsOfASemaphore_grow() {
        String name = name("permits");
        LockClient client = client();
        List<Long> tokens = new ArrayList<>();
        for (int round = 0; round < 5; round++) {
            try (Lease one = client.semaphore(name, 3).acquire();
                    Lease two = stranger().semaphore(name, 3).acquire(2)) {
                tokens.add(one.token());
                tokens.add(two.token());
            }
        }
        assertGrowing(tokens, 10);
    }

    @TestWith(Ability.RAISED_TOKENS)
    void leastToken_newGrant_isNotBelowIt() {
        for (Resource resource : everyKind("least")) {
            RawClient client = rawClient();
            Claim first = client.claim(resource, 1, defaults().lease(), 3, true);
            long token = client.grant(first);
            long wanted = token + 30_000_000; // where tokens are microseconds, it is not reached by waiting
            client.release(first);

            Claim second = atLeast(client.claim(resource, 1, defaults().lease(), 3, true), wanted);

            assertThat(client.grant(second)).as("%s", resource).isEqualTo(wanted);
            client.release(second);
            assertThat(client.grant(client.claim(resource, 1, defaults().lease())))
                    .as("after %s", resource)
                    .isGreaterThan(wanted + 2);
        }
    }

    @TestWith(Ability.RAISED_TOKENS)
    void leastToken_holderAsksForMore_isRaisedAndNeverLowered() {
        for (Resource resource : everyKind("raised")) {
            RawClient client = rawClient();
            Claim claim = client.claim(resource, 1, defaults().lease(), 16, true);
            long token = client.grant(claim);

            assertThat(client.grant(atLeast(claim, token + 3)))
                    .as("%s", resource)
                    .isEqualTo(token + 3);
            assertThat(client.grant(atLeast(claim, token))).as("asked for less").isEqualTo(token + 3);
            assertThat(client.grant(claim)).as("asked for any").isEqualTo(token + 3);

            client.release(claim);
            assertThat(client.grant(client.claim(resource, 1, defaults().lease())))
                    .as("after the whole block")
                    .isGreaterThan(token + 3 + 15);
        }
    }

    @Test
    void leastToken_waiterAsksForMore_holderKeepsItsToken() {
        for (Resource resource : List.of(
                new Resource(LockKind.LOCK, name("waiter"), 1), new Resource(LockKind.SEMAPHORE, name("waiter"), 1))) {
            RawClient client = rawClient();
            Claim held = client.claim(resource, 1, defaults().lease(), 2, true);
            long token = client.grant(held);
            rawClient()
                    .attempt(atLeast(rawClient().claim(resource, 1, defaults().lease()), token + 1_000_000));

            assertThat(client.grant(held)).as("%s", resource).isEqualTo(token);
        }
    }

    @TestWith(Ability.RAISED_TOKENS)
    void leastToken_raisedAmongOthers_isNobodyElses() {
        Resource resource = new Resource(LockKind.SEMAPHORE, name("raised"), 3);
        RawClient client = rawClient();
        Claim early = client.claim(resource, 1, defaults().lease(), 4, true);
        long token = client.grant(early);
        long others = client.grant(client.claim(resource, 1, defaults().lease(), 4, true));

        long raised = client.grant(atLeast(early, token + 1));

        assertThat(raised).isGreaterThan(others + 3);
        assertThat(client.grant(client.claim(resource, 1, defaults().lease()))).isGreaterThan(raised + 3);
    }

    private static List<Resource> everyKind(String word) {
        return List.of(
                new Resource(LockKind.LOCK, name(word), 1),
                new Resource(LockKind.ELECTION, name(word), 1),
                new Resource(LockKind.SEMAPHORE, name(word), 2),
                new Resource(LockKind.READ_WRITE, name(word), Resource.ALL_READERS));
    }

    private static Claim atLeast(Claim claim, long token) {
        return claim.toBuilder().leastToken(token).build();
    }

    private static void assertGrowing(List<Long> tokens, int number) {
        assertThat(tokens).hasSize(number).isSorted().doesNotHaveDuplicates();
        assertThat(tokens.get(0)).isPositive();
    }
}
