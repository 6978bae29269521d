package io.holdfast.comparison;

import io.holdfast.testing.process.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Runs this build and another one by turns, in JVMs of their own, on one server. Only one works at a time; the first
 * one changes from pair to pair.
 */
final class Baseline {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final long INSIDE_NANOS = 20_000;
    private static final int FEW_THREADS = 2;
    private static final int MOST_WARM_UPS = 20;
    private static final int STARTS = 3;
    private static final double NANOS_PER_SECOND = 1e9;

    private final BenchOptions options;
    private final DuelPace pace;
    private final Progress progress;
    private int runs;

    Baseline(BenchOptions options, DuelPace pace, Progress progress) {
        this.options = options;
        this.pace = pace;
        this.progress = progress;
    }

    List<DuelRow> measure(Build other) throws InterruptedException, IOException {
        List<DuelRow> rows = new ArrayList<>();
        for (Workload workload : options.ratedWorkloads()) {
            progress.begin(workload);
            for (Library library : options.ownLibraries()) {
                rows.add(measure(workload, library, other).row());
            }
        }
        progress.end();
        return rows;
    }

    private Duel measure(Workload workload, Library library, Build other) throws InterruptedException, IOException {
        Duel duel = new Duel(workload, library);
        boolean few = !options.sleepy() && workload.jvms() * workload.threads() <= FEW_THREADS;
        try (WakefulCores cores = few ? WakefulCores.start() : WakefulCores.none()) {
            for (int fork = 1; fork <= pace.forks() && duel.failure() == null; fork++) {
                progress.show(workload, library, "fork " + fork + " of " + pace.forks());
                fork(duel, other);
            }
        } catch (InterruptedException interrupted) {
            throw interrupted;
        } catch (Exception trouble) {
            duel.fail(trouble.getMessage() == null ? trouble.toString() : trouble.getMessage());
        }
        return duel;
    }

    private void fork(Duel duel, Build other) throws Exception {
        Path folder = Files.createTempDirectory("holdfast-baseline");
        Path ours = Files.createDirectory(folder.resolve("new"));
        Path theirs = Files.createDirectory(folder.resolve("old"));
        try (Store server = new RedisStore(options.redis(), options.ground());
                Contestant fresh = new Contestant(duel.library(), new Shared(server), options.ground(), ours);
                Contestant old = new Contestant(
                        duel.library(), new Shared(server), options.ground(), theirs, other.classPath())) {
            double freshCommands = prepare(duel, fresh);
            duel.commands(freshCommands, prepare(duel, old));
            for (int pair = 1; pair <= pace.pairs(); pair++) {
                boolean freshFirst = pair % 2 == 1;
                Duel.Round first = round(duel, freshFirst ? fresh : old);
                Duel.Round second = round(duel, freshFirst ? old : fresh);
                duel.add(freshFirst ? first : second, freshFirst ? second : first);
            }
        } finally {
            Folders.delete(folder);
        }
    }

    /** Warm, and how many commands a cycle took. */
    private double prepare(Duel duel, Contestant contestant) throws Exception {
        start(duel, contestant);
        long cycles = 0;
        for (int i = 0; i < MOST_WARM_UPS && cycles < pace.warmCycles(); i++) {
            Measured warm = contestant.run(duel.workload(), newName(), pace.warmUp(), i == 0 ? INSIDE_NANOS : 0);
            duel.violations(warm.violations());
            cycles += warm.cycles();
        }
        Measured[] counted = new Measured[1];
        Long commands = contestant
                .store()
                .commandsDuring(() -> counted[0] = contestant.run(duel.workload(), newName(), pace.warmUp()));
        duel.violations(counted[0].violations());
        return commands == null ? Double.NaN : (double) commands / Math.max(1, counted[0].cycles());
    }

    /** Several JVMs that start on a busy machine may need a second try. */
    private static void start(Duel duel, Contestant contestant) throws Exception {
        for (int i = 1; ; i++) {
            try {
                contestant.staff(duel.workload().jvms(), LEASE);
                return;
            } catch (BenchException trouble) {
                if (i == STARTS) {
                    throw trouble;
                }
            }
        }
    }

    private Duel.Round round(Duel duel, Contestant contestant) throws InterruptedException {
        long serverBefore = contestant.store().cpuMicros();
        Measured measured = contestant.run(
                duel.workload(),
                newName(),
                pace.round(),
                options.ground().inside().toNanos());
        long serverMicros = contestant.store().cpuMicros() - serverBefore;
        duel.violations(measured.violations());
        double seconds = (pace.round().toNanos() - pace.round().toNanos() / Contestant.RAMP) / NANOS_PER_SECOND;
        double cycles = Math.max(1, measured.cycles());
        return new Duel.Round(
                measured.cyclesInTime() / seconds, (measured.usage().cpuNanos() / 1e3 + serverMicros) / cycles);
    }

    private String newName() {
        return "baseline-" + ++runs;
    }

    /** A server that two use, and that neither ends. */
    private record Shared(Store server) implements Store {
        @Override
        public String address() {
            return server.address();
        }

        @Override
        public List<String> clientFlags() {
            return server.clientFlags();
        }

        @Override
        public long cpuMicros() {
            return server.cpuMicros();
        }

        @Override
        public @Nullable Long commandsDuring(Callable<?> work) throws Exception {
            return server.commandsDuring(work);
        }

        @Override
        public void close() {}
    }
}
