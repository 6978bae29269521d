package io.holdfast.testing.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * A wall clock that can be set forward and back under running servers, as NTP or an operator would.
 *
 * <p>Only the wall clock moves (what TIME, expiry and the append-only file go by); monotonic time does not. It works on
 * any redis-server, statically linked or not, since it changes the system's own time functions within the process, see
 * {@link Vdso}: a preloaded library would not be seen by a program that loads none. It works from the first instant of
 * each process on, so a server keeps its offset over a restart.
 *
 * <p>One clock may serve several servers. Only on x86-64 Linux: see {@link #isSupported}. Thread-safe.
 */
public final class ClockShim {
    private final List<Vdso> attached = new ArrayList<>();
    private Duration offset = Duration.ZERO;

    /** Can clocks be moved on this machine? */
    public static boolean isSupported() {
        return System.getProperty("os.name", "").startsWith("Linux")
                && System.getProperty("os.arch", "").equals("amd64");
    }

    /** How far the clock is ahead of the true time; negative where it is behind. */
    public synchronized Duration offset() {
        return offset;
    }

    /** Moves the clock at once, forward or, with a negative step, back. */
    public synchronized void step(Duration step) {
        set(offset.plus(step));
    }

    /** Back to the true time. */
    public synchronized void reset() {
        set(Duration.ZERO);
    }

    private void set(Duration newOffset) {
        offset = newOffset;
        for (Iterator<Vdso> each = attached.iterator(); each.hasNext(); ) {
            Vdso vdso = each.next();
            if (!vdso.isAlive()) {
                each.remove();
            } else {
                apply(vdso);
            }
        }
    }

    private void apply(Vdso vdso) {
        try {
            vdso.setOffset(offset);
        } catch (IOException e) {
            if (vdso.isAlive()) {
                throw new UncheckedIOException("Could not move the clock of " + vdso, e);
            }
        }
    }

    /** Takes over the clock of a process that was started by this JVM, and of those that it forks. */
    public synchronized void attach(long pid) {
        if (!isSupported()) {
            throw new IllegalStateException("Clocks can be moved on Linux with os.arch amd64 only, and this is "
                    + System.getProperty("os.name") + " with " + System.getProperty("os.arch")
                    + "; run the tests that move clocks on such a machine");
        }
        try {
            Vdso vdso = Vdso.takeOver(pid);
            vdso.setOffset(offset);
            attached.add(vdso);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Could not take over the clock of process " + pid + " (" + e.getMessage()
                            + "); that needs a kernel whose vDSO has some unused bytes at its end, and a /proc/" + pid
                            + "/mem that its parent may write: in a container, allow SYS_PTRACE",
                    e);
        }
    }
}
