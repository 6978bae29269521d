package io.holdfast.comparison;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Callable;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.jspecify.annotations.Nullable;

/** A ZooKeeper server in this process, on a free port, with a folder that is deleted in the end. */
final class ZooKeeperStore implements Store {
    /** A session lasts 2 to 20 ticks: 4 to 40 seconds. */
    private static final int TICK_MILLIS = 2000;

    private final TestingServer server = start();

    private static TestingServer start() {
        try {
            return new TestingServer(new InstanceSpec(null, -1, -1, -1, true, -1, TICK_MILLIS, -1), true);
        } catch (Exception trouble) {
            throw new IllegalStateException("ZooKeeper did not start", trouble);
        }
    }

    @Override
    public String address() {
        return server.getConnectString();
    }

    /** Of this whole process, which has little else to do while workers work. */
    @Override
    public long cpuMicros() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime() / 1000;
    }

    @Override
    public @Nullable Long commandsDuring(Callable<?> work) throws Exception {
        work.call();
        return null;
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException trouble) {
            throw new UncheckedIOException(trouble);
        }
    }
}
