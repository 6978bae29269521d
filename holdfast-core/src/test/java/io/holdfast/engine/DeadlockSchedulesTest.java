package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockKind;
import io.holdfast.spi.ClaimId;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceView;
import io.holdfast.spi.WaitRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The reduction against all schedules: small states of locks, permits and lines at random; who cannot end under any
 * schedule is exactly who is stuck.
 */
class DeadlockSchedulesTest {
    private static final int STATES = 4_000;

    /** Who holds how much of what, and who waits in which line; agents and resources are numbers. */
    private static final class State {
        private final int[] capacity;
        private final int[][] held;
        private final List<List<Integer>> lines;
        private final int[] waitsFor;
        private final int[] weight;

        State(int[] capacity, int[][] held, List<List<Integer>> lines, int[] waitsFor, int[] weight) {
            this.capacity = capacity;
            this.held = held;
            this.lines = lines;
            this.waitsFor = waitsFor;
            this.weight = weight;
        }

        static State random(Random random) {
            int agents = 2 + random.nextInt(4);
            int resources = 1 + random.nextInt(4);
            int[] sizes = {1, 1, 2, 3, 5};
            int[] capacity = random.ints(resources, 0, sizes.length)
                    .map(each -> sizes[each])
                    .toArray();
            int[][] held = new int[agents][resources];
            for (int a = 0; a < agents; a++) {
                for (int r = 0; r < resources; r++) {
                    int free = capacity[r] - used(held, r);
                    held[a][r] = free > 0 && random.nextBoolean() ? 1 + random.nextInt(free) : 0;
                }
            }
            List<List<Integer>> lines = new ArrayList<>();
            for (int r = 0; r < resources; r++) {
                lines.add(new ArrayList<>());
            }
            int[] waitsFor = new int[agents];
            int[] weight = new int[agents];
            List<Integer> order = new ArrayList<>();
            for (int a = 0; a < agents; a++) {
                order.add(a);
                waitsFor[a] = -1;
            }
            Collections.shuffle(order, random);
            for (int a : order) {
                if (random.nextInt(5) < 4) {
                    int r = random.nextInt(resources);
                    waitsFor[a] = r;
                    int[] weights = {1, capacity[r], 1 + random.nextInt(capacity[r])};
                    weight[a] = weights[random.nextInt(3)];
                    lines.get(r).add(a);
                }
            }
            return new State(capacity, held, lines, waitsFor, weight);
        }

        static int used(int[][] held, int resource) {
            int used = 0;
            for (int[] each : held) {
                used += each[resource];
            }
            return used;
        }

        boolean holdsSomething(int agent) {
            for (int each : held[agent]) {
                if (each > 0) {
                    return true;
                }
            }
            return false;
        }

        /** Those among these that never end, whatever happens first, if the others hold nothing. */
        Set<Integer> neverEnding(Set<Integer> some) {
            Schedules schedules = new Schedules(this);
            int[][] theirs = new int[held.length][];
            for (int a = 0; a < held.length; a++) {
                theirs[a] = some.contains(a) ? held[a].clone() : new int[capacity.length];
            }
            schedules.explore(theirs, lines, new HashSet<>());
            Set<Integer> stuck = new TreeSet<>(some);
            stuck.removeAll(schedules.ended);
            return stuck;
        }

        /** @param all whether those who hold nothing are known, too */
        DeadlockGraph graph(boolean all) {
            DeadlockGraph graph = new DeadlockGraph();
            for (int r = 0; r < capacity.length; r++) {
                List<ResourceView.Holder> holders = new ArrayList<>();
                for (int a = 0; a < held.length; a++) {
                    if (held[a][r] > 0) {
                        holders.add(new ResourceView.Holder(claim(a, r), held[a][r], 1, Duration.ofSeconds(1), ""));
                    }
                }
                List<ResourceView.Waiting> waiting = new ArrayList<>();
                lines.get(r).forEach(a -> waiting.add(new ResourceView.Waiting(claim(a, 9), weight[a], "")));
                graph.add(new ResourceView(resource(r), holders, waiting));
            }
            for (int a = 0; a < held.length; a++) {
                if (waitsFor[a] >= 0 && (all || holdsSomething(a))) {
                    graph.add(suspect(a));
                }
            }
            return graph;
        }

        private WaitRecord.Suspect suspect(int a) {
            List<WaitRecord.Hold> holds = new ArrayList<>();
            for (int r = 0; r < capacity.length; r++) {
                if (held[a][r] > 0) {
                    holds.add(new WaitRecord.Hold(true, resource(r), claim(a, r), 1, held[a][r], 0));
                }
            }
            Resource wanted = resource(waitsFor[a]);
            return new WaitRecord.Suspect(
                    1,
                    "" + a,
                    "" + a,
                    false,
                    wanted,
                    weight[a],
                    weight[a],
                    claim(a, 9),
                    WaitRecord.Place.LINE,
                    0,
                    0,
                    holds);
        }

        private Resource resource(int r) {
            return new Resource(LockKind.SEMAPHORE, "r" + r, capacity[r]);
        }

        private static ClaimId claim(int agent, int sequence) {
            return new ClaimId("c" + agent, sequence);
        }

        @Override
        public String toString() {
            return "capacity " + Arrays.toString(capacity) + ", held " + Arrays.deepToString(held) + ", lines " + lines;
        }
    }

    /** Every way in which a state can go on. */
    private static final class Schedules {
        private final State state;
        private final Set<List<Object>> seen = new HashSet<>();
        private final Set<Integer> ended = new HashSet<>();

        Schedules(State state) {
            this.state = state;
        }

        void explore(int[][] held, List<List<Integer>> lines, Set<Integer> done) {
            List<Object> key = List.of(Arrays.deepToString(held), lines, done);
            if (!seen.add(key)) {
                return;
            }
            ended.addAll(done);
            Set<Integer> waiting = new HashSet<>();
            lines.forEach(waiting::addAll);
            for (int a = 0; a < held.length; a++) {
                if (!waiting.contains(a) && !done.contains(a)) { // runs, and gives everything back
                    int[][] after = copy(held);
                    after[a] = new int[state.capacity.length];
                    Set<Integer> more = new HashSet<>(done);
                    more.add(a);
                    explore(after, lines, more);
                }
            }
            for (int r = 0; r < lines.size(); r++) {
                List<Integer> line = lines.get(r);
                if (!line.isEmpty() && state.capacity[r] - State.used(held, r) >= state.weight[line.get(0)]) {
                    int[][] after = copy(held);
                    after[line.get(0)][r] += state.weight[line.get(0)];
                    List<List<Integer>> rest = new ArrayList<>(lines);
                    rest.set(r, line.subList(1, line.size()));
                    explore(after, rest, done);
                }
            }
        }

        private static int[][] copy(int[][] held) {
            int[][] copy = new int[held.length][];
            for (int a = 0; a < held.length; a++) {
                copy[a] = held[a].clone();
            }
            return copy;
        }
    }

    private static Set<Integer> numbers(Iterable<DeadlockNode> nodes) {
        Set<Integer> numbers = new TreeSet<>();
        nodes.forEach(node -> numbers.add(Integer.parseInt(node.owner().key())));
        return numbers;
    }

    @Test
    void stuck_anyState_isWhoEndsUnderNoSchedule() {
        Random random = new Random(17);
        int deadlocks = 0;
        for (int i = 0; i < STATES; i++) {
            State state = State.random(random);
            Set<Integer> all = new TreeSet<>();
            for (int a = 0; a < state.held.length; a++) {
                all.add(a);
            }
            Set<Integer> never = state.neverEnding(all);
            assertThat(numbers(state.graph(true).stuck()))
                    .as("state %s: %s", i, state)
                    .isEqualTo(never);

            Set<Integer> holding = new TreeSet<>(never);
            holding.removeIf(a -> !state.holdsSomething(a));
            assertThat(numbers(state.graph(false).stuck()))
                    .as("state %s, those who hold nothing unknown", i)
                    .isEqualTo(holding);
            deadlocks += never.isEmpty() ? 0 : 1;
        }
        assertThat(deadlocks).isGreaterThan(STATES / 10);
    }

    @Test
    void cores_anyState_areStuckWithoutTheOthers() {
        Random random = new Random(18);
        for (int i = 0; i < STATES; i++) {
            State state = State.random(random);
            DeadlockGraph graph = state.graph(true);
            List<DeadlockCore> cores = graph.cores();
            assertThat(cores.isEmpty())
                    .as("state %s", i)
                    .isEqualTo(graph.stuck().isEmpty());
            Set<Integer> seen = new HashSet<>();
            for (DeadlockCore core : cores) {
                Set<Integer> members = numbers(core.nodes());
                assertThat(state.neverEnding(members)).as("state %s", i).isEqualTo(members);
                assertThat(members).as("state %s: nobody is in two", i).allMatch(seen::add);
            }
        }
    }
}
