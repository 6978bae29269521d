package io.holdfast.comparison;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * What this process has used so far.
 *
 * @param cpuNanos of all its threads
 * @param allocatedBytes by the threads that are alive
 */
record Usage(long cpuNanos, long allocatedBytes) {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    static Usage now() {
        long bytes = 0;
        for (long each : THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds())) {
            bytes += Math.max(0, each);
        }
        return new Usage(SYSTEM.getProcessCpuTime(), bytes);
    }

    Usage minus(Usage before) {
        return new Usage(cpuNanos - before.cpuNanos, Math.max(0, allocatedBytes - before.allocatedBytes));
    }

    Usage plus(Usage other) {
        return new Usage(cpuNanos + other.cpuNanos, allocatedBytes + other.allocatedBytes);
    }
}
