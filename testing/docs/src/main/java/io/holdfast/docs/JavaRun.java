package io.holdfast.docs;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.Thread.UncaughtExceptionHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** One block while it runs, on a thread of its own, for a bounded time. */
final class JavaRun {
    /** How long a block that is said to wait is watched waiting, and how often. */
    private static final Duration A_WHILE = Duration.ofSeconds(1);

    private static final Duration LOOK = Duration.ofMillis(50);

    private final JavaSource source;
    private final Stage stage;
    private final ClassLoader loader;
    private final Duration limit;
    /** What a thread of the block's own has died of. */
    private final AtomicReference<@Nullable Throwable> elsewhere = new AtomicReference<>();

    JavaRun(JavaSource source, Stage stage, ClassLoader loader, Duration limit) {
        this.source = source;
        this.stage = stage;
        this.loader = loader;
        this.limit = limit;
    }

    List<Problem> problems() {
        Block block = source.block();
        if (block.note("compiles").isPresent()) {
            return List.of();
        }
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Thread thread = new Thread(() -> thrown.set(attempt()), "block " + block.where());
        thread.setDaemon(true);
        thread.setContextClassLoader(loader);
        PrintStream console = System.out;
        System.setOut(new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));
        UncaughtExceptionHandler usual = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((other, failure) -> elsewhere.compareAndSet(null, failure));
        thread.start();
        try {
            return watched(thread, thrown).map(List::of).orElse(List.of());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of(block.problem("was not watched to its end"));
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(usual);
            System.setOut(console);
        }
    }

    private Optional<Problem> watched(Thread thread, AtomicReference<@Nullable Throwable> thrown)
            throws InterruptedException {
        Block block = source.block();
        if (block.note("waits").isPresent()) {
            boolean waits = waits(thread);
            Optional<Problem> failure = failureElsewhere();
            thread.interrupt();
            thread.join(limit.toMillis());
            return waits ? failure : Optional.of(block.problem("does not wait, which its comment says"));
        }
        thread.join(limit.toMillis());
        if (thread.isAlive()) {
            thread.interrupt();
            return Optional.of(block.problem("still runs after " + limit));
        }
        return verdict(thrown.get()).or(this::failureElsewhere);
    }

    /** Whether it comes to a line of its own and stays there, however slow the machine is. */
    private boolean waits(Thread thread) throws InterruptedException {
        long sinceNanos = System.nanoTime();
        Optional<String> before = Optional.empty();
        while (System.nanoTime() - sinceNanos < A_WHILE.toNanos()) {
            thread.join(LOOK.toMillis());
            if (!thread.isAlive()) {
                return false;
            }
            Optional<String> now = line(thread.getStackTrace());
            if (now.isEmpty() || !now.equals(before) || thread.getState() == Thread.State.RUNNABLE) {
                sinceNanos = System.nanoTime();
            }
            before = now;
        }
        return true;
    }

    private Optional<Problem> verdict(@Nullable Throwable thrown) {
        Optional<Note> wanted = source.block().note("throws");
        if (thrown == null) {
            return wanted.map(note -> source.block().problem("does not throw " + note.text()));
        }
        if (wanted.isPresent()
                && thrown.getClass().getSimpleName().equals(wanted.get().text())) {
            return Optional.empty();
        }
        return Optional.of(failure(thrown, "throws "));
    }

    private Optional<Problem> failureElsewhere() {
        return Optional.ofNullable(elsewhere.get()).map(thrown -> failure(thrown, "throws on another thread "));
    }

    private Problem failure(Throwable thrown, String what) {
        String where = line(thrown.getStackTrace()).orElse(source.block().where());
        return new Problem(where, what + thrown);
    }

    /** The line of the page that a stack is in. */
    private Optional<String> line(StackTraceElement[] stack) {
        return Arrays.stream(stack)
                .filter(frame -> frame.getClassName().startsWith(source.className()))
                .findFirst()
                .map(frame -> source.at(frame.getLineNumber()));
    }

    private @Nullable Throwable attempt() {
        try {
            Class<?> type = loader.loadClass(source.className());
            if (source.isFragment()) {
                try (Scaffold scaffold =
                        (Scaffold) type.getConstructor(Stage.class).newInstance(stage)) {
                    scaffold.run();
                }
            } else if (source.block().text().contains("@Test")) {
                return failureOf(type);
            } else {
                main(type).invoke(null, (Object) new String[0]);
            }
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        } catch (Throwable e) {
            return e;
        }
    }

    private static Method main(Class<?> type) throws NoSuchMethodException {
        Method main = type.getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        return main;
    }

    private static @Nullable Throwable failureOf(Class<?> tests) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass(tests))
                                .build(),
                        listener);
        if (listener.getSummary().getTestsSucceededCount() == 0
                && listener.getSummary().getFailures().isEmpty()) {
            return new IllegalStateException("no test was run");
        }
        return listener.getSummary().getFailures().stream()
                .findFirst()
                .map(failure -> failure.getException())
                .orElse(null);
    }
}
