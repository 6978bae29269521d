package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.WaitRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Who is in a deadlock and who only waits behind one, for each kind of lock. */
class DeadlockGraphTest {
    private final DeadlockGraph graph = new DeadlockGraph();
    private final Map<String, List<WaitRecord.Hold>> holds = new HashMap<>();
    private final Map<Resource, List<ResourceView.Holder>> holders = new HashMap<>();
    private final Map<Resource, List<ResourceView.Waiting>> lines = new HashMap<>();
    private final List<Runnable> waits = new ArrayList<>();
    private long sequence;

    private static Resource mutex(String name) {
        return new Resource(LockKind.LOCK, name, 1);
    }

    private static Resource readWrite(String name) {
        return new Resource(LockKind.READ_WRITE, name, Resource.ALL_READERS);
    }

    private static Resource pool(int permits) {
        return new Resource(LockKind.SEMAPHORE, "pool", permits);
    }

    private ClaimId holds(String owner, Resource resource, int weight) {
        ClaimId claim = new ClaimId(owner, ++sequence);
        holders(resource).add(new ResourceView.Holder(claim, weight, sequence, Duration.ofSeconds(9), owner));
        hold(owner, resource, claim, weight, true);
        return claim;
    }

    private void hold(String owner, Resource resource, ClaimId claim, int weight, boolean certain) {
        holds.computeIfAbsent(owner, none -> new ArrayList<>())
                .add(new WaitRecord.Hold(certain, resource, claim, ++sequence, weight, 0));
    }

    private List<ResourceView.Holder> holders(Resource resource) {
        return holders.computeIfAbsent(resource, none -> new ArrayList<>());
    }

    private List<ResourceView.Waiting> line(Resource resource) {
        return lines.computeIfAbsent(resource, none -> new ArrayList<>());
    }

    private ClaimId waitsFor(String owner, Resource resource, int weight) {
        ClaimId claim = new ClaimId(owner, ++sequence);
        line(resource).add(new ResourceView.Waiting(claim, weight, owner));
        waits(owner, resource, weight, claim, false);
        return claim;
    }

    private void waits(String owner, Resource resource, int weight, ClaimId claim, boolean local) {
        waits(owner, resource, weight, weight, claim, local ? WaitRecord.Place.LOCAL : WaitRecord.Place.LINE);
    }

    /** Waits in its own client behind somebody of such a weight, who is in the line with that claim. */
    private void waitsBehind(String owner, Resource resource, int weight, int most, ClaimId claim) {
        waits(owner, resource, weight, most, claim, WaitRecord.Place.BEHIND);
    }

    private void waits(String owner, Resource resource, int weight, int most, ClaimId claim, WaitRecord.Place place) {
        long serial = ++sequence;
        waits.add(() -> graph.add(new WaitRecord.Suspect(
                serial,
                owner,
                owner,
                false,
                resource,
                weight,
                most,
                claim,
                place,
                serial,
                0,
                holds.getOrDefault(owner, List.of()))));
    }

    private ClaimId unknownWaits(Resource resource, int weight) {
        ClaimId claim = new ClaimId("unknown", ++sequence);
        line(resource).add(new ResourceView.Waiting(claim, weight, ""));
        return claim;
    }

    private List<DeadlockCore> cores() {
        Set<Resource> all = new HashSet<>(holders.keySet());
        all.addAll(lines.keySet());
        all.forEach(each -> graph.add(new ResourceView(each, holders(each), line(each))));
        waits.forEach(Runnable::run);
        return graph.cores();
    }

    private static Set<String> members(DeadlockCore core) {
        Set<String> members = new TreeSet<>();
        core.nodes().forEach(node -> members.add(node.owner().key()));
        return members;
    }

    private Set<String> only(List<DeadlockCore> cores) {
        assertThat(cores).hasSize(1);
        return members(cores.get(0));
    }

    @Test
    void two_eachWaitsForTheOther_areTheCore() {
        holds("x", mutex("a"), 1);
        holds("y", mutex("b"), 1);
        waitsFor("x", mutex("b"), 1);
        waitsFor("y", mutex("a"), 1);

        assertThat(only(cores())).containsExactly("x", "y");
    }

    @Test
    void others_whoMerelyWaitBehind_areNotInTheCore() {
        holds("x", mutex("a"), 1);
        holds("y", mutex("b"), 1);
        holds("z", mutex("c"), 1);
        waitsFor("z", mutex("a"), 1);
        waitsFor("y", mutex("a"), 1);
        waitsFor("x", mutex("b"), 1);
        holds("late", mutex("d"), 1);
        waitsFor("late", mutex("c"), 1);

        List<DeadlockCore> cores = cores();

        assertThat(graph.stuck()).hasSize(4);
        assertThat(only(cores)).containsExactly("x", "y");
    }

    @Test
    void one_thatWaitsForWhatItHolds_isACoreOfOne() {
        ClaimId held = holds("x", mutex("a"), 1);
        waits("x", mutex("a"), 1, held, true);

        assertThat(only(cores())).containsExactly("x");
    }

    @Test
    void upgrade_ofAReader_isACoreOfOne() {
        holds("x", readWrite("a"), 1);
        holds("y", readWrite("a"), 1); // goes on
        waitsFor("x", readWrite("a"), Resource.ALL_READERS);

        assertThat(only(cores())).containsExactly("x");
    }

    @Test
    void readerBehindWriter_theWriterIsAnEdge() {
        holds("r1", readWrite("a"), 1);
        holds("r2", mutex("b"), 1);
        holds("w", mutex("elsewhere"), 1);
        waitsFor("r1", mutex("b"), 1);
        waitsFor("w", readWrite("a"), Resource.ALL_READERS);
        waitsFor("r2", readWrite("a"), 1);

        List<DeadlockCore> cores = cores();

        assertThat(only(cores)).containsExactly("r1", "r2", "w");
        assertThat(cores.get(0).isSoft()).isFalse();
    }

    @Test
    void readerBehindUnknownWriter_isFoundAndSoft() {
        holds("r1", readWrite("a"), 1);
        holds("r2", mutex("b"), 1);
        waitsFor("r1", mutex("b"), 1);
        unknownWaits(readWrite("a"), Resource.ALL_READERS);
        waitsFor("r2", readWrite("a"), 1);

        List<DeadlockCore> cores = cores();

        assertThat(only(cores)).containsExactly("r1", "r2");
        assertThat(cores.get(0).isSoft()).isTrue();
    }

    @Test
    void readerBeforeWriter_canGoOn() {
        holds("r1", readWrite("a"), 1);
        holds("r2", mutex("b"), 1);
        holds("w", mutex("elsewhere"), 1);
        waitsFor("r1", mutex("b"), 1);
        waitsFor("r2", readWrite("a"), 1);
        waitsFor("w", readWrite("a"), Resource.ALL_READERS);

        assertThat(cores()).isEmpty();
    }

    @Test
    void permits_someHolderGoesOn_isNoDeadlock() {
        holds("x", pool(2), 1);
        holds("free", pool(2), 1);
        holds("y", mutex("b"), 1);
        holds.remove("free");
        waitsFor("x", mutex("b"), 1);
        waitsFor("y", pool(2), 1);

        assertThat(cores()).isEmpty();
    }

    @Test
    void permits_allHoldersWait_isADeadlock() {
        holds("x", pool(2), 1);
        holds("y", pool(2), 1);
        waitsFor("x", pool(2), 1);
        waitsFor("y", pool(2), 1);

        assertThat(only(cores())).containsExactly("x", "y");
    }

    /** It would be free if the other deadlock were not. */
    @Test
    void permits_ofAnotherDeadlock_makeNoCoreOfTheirOwn() {
        holds("x", mutex("a"), 1);
        holds("y", mutex("b"), 1);
        holds("y", pool(2), 1);
        waitsFor("x", mutex("b"), 1);
        waitsFor("y", mutex("a"), 1);
        holds("p", pool(2), 1);
        holds("q", mutex("c"), 1);
        waitsFor("p", mutex("c"), 1);
        waitsFor("q", pool(2), 1);

        List<DeadlockCore> cores = cores();

        assertThat(graph.stuck()).hasSize(4);
        assertThat(only(cores)).containsExactly("x", "y");
    }

    @Test
    void twoCircles_oneBehindTheOther_areTwoCores() {
        holds("x", mutex("a"), 1);
        holds("y", mutex("b"), 1);
        waitsFor("x", mutex("b"), 1);
        waitsFor("y", mutex("a"), 1);
        holds("p", readWrite("c"), 1);
        holds("y", readWrite("c"), 1);
        holds("q", mutex("d"), 1);
        waitsFor("p", mutex("d"), 1);
        waitsFor("q", readWrite("c"), Resource.ALL_READERS);

        assertThat(cores())
                .extracting(DeadlockGraphTest::members)
                .containsExactlyInAnyOrder(Set.of("x", "y"), Set.of("p", "q"));
    }

    /** The writer is in the line for both of them, and the reader is served after it. */
    @Test
    void reader_behindAWriterOfItsOwnClient_isStuckWithIt() {
        Resource catalog = readWrite("catalog");
        holds("r1", catalog, 1);
        holds("r2", mutex("b"), 1);
        ClaimId writer = unknownWaits(catalog, Resource.ALL_READERS);
        waitsBehind("r2", catalog, 1, Resource.ALL_READERS, writer);
        waitsFor("r1", mutex("b"), 1);

        assertThat(only(cores())).containsExactly("r1", "r2");
    }

    @Test
    void reader_behindAReaderOfItsOwnClient_canGoOn() {
        Resource catalog = readWrite("catalog");
        holds("r1", catalog, 1);
        holds("r2", mutex("b"), 1);
        ClaimId reader = unknownWaits(catalog, 1);
        waitsBehind("r2", catalog, 1, 1, reader);
        waitsFor("r1", mutex("b"), 1);

        assertThat(cores()).isEmpty();
    }

    /** A claim stands in the line for the first of its client; others behind that one are in nobody's way. */
    @Test
    void owner_behindAnotherOfItsClient_isNotTheOneInTheLine() {
        holds("h", pool(2), 1);
        holds("x", mutex("n"), 1);
        holds("s", mutex("unwanted"), 1);
        ClaimId first = unknownWaits(pool(2), 2);
        waitsBehind("s", pool(2), 2, 2, first);
        waitsFor("x", pool(2), 1);
        waitsFor("h", mutex("n"), 1);

        assertThat(only(cores())).containsExactly("h", "x");
    }

    @Test
    void sharedClaim_oneOfItsOwnersIsStuck_isKept() {
        ClaimId shared = holds("r1", readWrite("a"), 1);
        hold("r2", readWrite("a"), shared, 1, true);
        waitsFor("r2", mutex("free"), 1);
        holds("w", mutex("b"), 1);
        waitsFor("r1", mutex("b"), 1);
        waitsFor("w", readWrite("a"), Resource.ALL_READERS);

        assertThat(only(cores())).containsExactly("r1", "w");
    }

    @Test
    void unknownHolder_canGoOn() {
        holds("x", mutex("a"), 1);
        holders(mutex("b")).add(new ResourceView.Holder(new ClaimId("u", 1), 1, 1, Duration.ofSeconds(1), ""));
        waitsFor("x", mutex("b"), 1);

        assertThat(cores()).isEmpty();
    }

    @Test
    void wait_whoseClaimTheStoreDoesNotHave_doesNotCount() {
        holds("x", mutex("a"), 1);
        holds("y", mutex("b"), 1);
        waitsFor("x", mutex("b"), 1);
        waits("y", mutex("a"), 1, new ClaimId("y", 77), false);

        assertThat(cores()).isEmpty();
    }

    @Test
    void hold_thatTheStoreDoesNotHave_doesNotCount() {
        holds("x", mutex("a"), 1);
        hold("y", mutex("b"), new ClaimId("y", 77), 1, true);
        holders(mutex("b")).add(new ResourceView.Holder(new ClaimId("u", 1), 1, 1, Duration.ofSeconds(1), ""));
        waitsFor("x", mutex("b"), 1);
        waitsFor("y", mutex("a"), 1);

        assertThat(cores()).isEmpty();
    }

    @Test
    void owner_withSeveralWaits_goesOnIfOneIsServed() {
        holds("x", mutex("a"), 1);
        holds("y", mutex("b"), 1);
        waitsFor("x", mutex("b"), 1);
        waitsFor("y", mutex("a"), 1);
        waitsFor("y", mutex("free"), 1);

        assertThat(cores()).isEmpty();
    }

    @Test
    void certain_onlyIfEachHoldInItIs() {
        holds("x", mutex("a"), 1);
        ClaimId held = new ClaimId("y", ++sequence);
        holders(mutex("b")).add(new ResourceView.Holder(held, 1, 1, Duration.ofSeconds(1), ""));
        hold("y", mutex("b"), held, 1, false);
        waitsFor("x", mutex("b"), 1);
        waitsFor("y", mutex("a"), 1);

        List<DeadlockCore> cores = cores();

        assertThat(only(cores)).containsExactly("x", "y");
        assertThat(cores.get(0).isCertain()).isFalse();
        assertThat(cores.get(0).victim()).isEmpty();
    }
}
