package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Flight Recorder sees of locks, and that it sees nothing unless it records. */
class FlightTest extends EngineFixture {
    @TempDir
    Path folder;

    private List<RecordedEvent> recorded(Runnable work) throws IOException {
        try (Recording recording = new Recording()) {
            for (String event : List.of("Acquire", "Hold", "Renewal", "Lost")) {
                recording.enable("io.holdfast." + event).withoutThreshold();
            }
            recording.start();
            work.run();
            recording.stop();
            Path file = folder.resolve("locks.jfr");
            recording.dump(file);
            List<RecordedEvent> ours = new ArrayList<>(RecordingFile.readAllEvents(file));
            ours.removeIf(event -> !event.getEventType().getName().startsWith("io.holdfast."));
            return ours;
        }
    }

    private static List<String> outlines(List<RecordedEvent> events, String detail) {
        return events.stream()
                .filter(event -> event.hasField(detail))
                .map(event -> event.getEventType().getName() + " " + event.getString("kind") + " "
                        + event.getString("name") + " " + event.getLong("token") + " " + event.getString(detail))
                .toList();
    }

    @Test
    void recording_holdOfALock_acquireAndHold() throws IOException {
        List<RecordedEvent> events = recorded(() -> lock().acquire().close());

        assertThat(outlines(events, "outcome")).containsExactly("io.holdfast.Acquire LOCK a 1 acquired");
        assertThat(outlines(events, "end")).containsExactly("io.holdfast.Hold LOCK a 1 released");
        assertThat(events).allSatisfy(event -> assertThat(event.getDuration()).isGreaterThanOrEqualTo(Duration.ZERO));
    }

    @Test
    void recording_noLease_acquireSaysWhy() throws IOException {
        List<RecordedEvent> events = recorded(() -> {
            backend.nextAttempt(ScriptedBackend.busy());
            assertThat(engine.semaphore("b", 2).tryAcquire()).isEmpty();
            backend.nextAttempt(ScriptedBackend.down());
            CompletableFuture<?> failing = engine.lock("c").tryAcquireAsync(Duration.ZERO);
            runtime.run();
            assertThat(failing).isCompletedExceptionally();
            CompletableFuture<Lease> waiting = queued(lock());
            waiting.cancel(true);
            runtime.run();
        });

        assertThat(outlines(events, "outcome"))
                .containsExactly(
                        "io.holdfast.Acquire SEMAPHORE b 0 busy",
                        "io.holdfast.Acquire LOCK c 0 failed",
                        "io.holdfast.Acquire LOCK a 0 cancelled");
    }

    @Test
    void recording_renewalsAndALoss_eachIsThere() throws IOException {
        List<RecordedEvent> events = recorded(() -> {
            lock().acquire();
            runtime.advance(seconds(12));
            backend.renewals(ScriptedBackend.down());
            runtime.advance(seconds(40));
        });

        List<String> renewals = outlines(events, "outcome");
        assertThat(renewals).contains("io.holdfast.Renewal LOCK a 1 renewed", "io.holdfast.Renewal LOCK a 1 failed");
        assertThat(outlines(events, "reason")).containsExactly("io.holdfast.Lost LOCK a 1 STORE_UNREACHABLE");
        assertThat(outlines(events, "end")).containsExactly("io.holdfast.Hold LOCK a 1 lost");
        RecordedEvent lost = events.stream()
                .filter(event -> event.hasField("reason"))
                .findFirst()
                .orElseThrow();
        assertThat(lost.getDuration("held")).isBetween(seconds(35), seconds(45));
        storeMayKeepClaims();
    }

    @Test
    void noRecording_nothingIsMade() {
        EngineLease lease = (EngineLease) lock().acquire();

        assertThat(Flight.PRESENT).isTrue();
        assertThat(lease.flight).isNull();
        assertThat(Flight.acquiring()).isNull();
        lease.close();
    }

    /** Short ones are not worth an event unless somebody says so. */
    @Test
    void recording_usualSettings_shortHoldsAreLeftOut() throws IOException {
        try (Recording recording = new Recording()) {
            recording.enable("io.holdfast.Hold");
            recording.start();
            engine.lock("a", LockOptions.defaults()).acquire().close();
            recording.stop();
            Path file = folder.resolve("usual.jfr");
            recording.dump(file);
            assertThat(RecordingFile.readAllEvents(file)).isEmpty();
        }
    }

    /** A runtime that was made without the module. */
    @Test
    void absentModule_locksAllTheSame() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--limit-modules",
                        "java.base",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        WithoutFlight.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said.strip()).isEqualTo("present: false, token: 1");
    }

    /** What that runtime runs. */
    static final class WithoutFlight {
        private WithoutFlight() {}

        public static void main(String[] arguments) {
            try (io.holdfast.LockClient locks = LockEngine.start(new GrantingBackend())) {
                Lease lease = locks.lock("a").acquire();
                lease.close();
                System.out.println("present: " + Flight.PRESENT + ", token: " + lease.token());
            }
        }
    }
}
