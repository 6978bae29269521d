package io.holdfast.testing.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortsTest {
    /** Two that take so many of twenty thousand ports meet, unless something keeps them apart. */
    private static final int MINE = 200;

    private static final int THEIRS = 2_000;

    private static List<Integer> take(int number) {
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            ports.add(Ports.free());
        }
        return ports;
    }

    @Test
    void free_askedAgainAndAgain_isGivenOutOnce() throws IOException {
        List<Integer> ports = take(MINE);
        assertThat(ports).doesNotHaveDuplicates();
        try (ServerSocket server = new ServerSocket(ports.get(0), 1, InetAddress.getLoopbackAddress())) {
            assertThat(server.isBound()).isTrue();
        }
    }

    @Test
    void freeWith_aDistance_bothAreTaken() {
        int port = Ports.freeWith(10_000);
        assertThat(take(MINE)).doesNotContain(port, port + 10_000);
    }

    @Test
    void free_anotherJvm_isGivenOthers() throws IOException {
        Set<Integer> mine = new HashSet<>(take(MINE));
        JavaProcess other = JavaProcess.program("other", Taker.class)
                .flags(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"))
                .start();
        List<Integer> theirs = new ArrayList<>();
        try (BufferedReader says = other.out()) {
            for (int i = 0; i < THEIRS; i++) {
                theirs.add(Integer.valueOf(says.readLine()));
            }
        } finally {
            other.kill();
        }
        assertThat(theirs).doesNotHaveDuplicates().doesNotContainAnyElementsOf(mine);
    }

    /** Takes ports and says which. */
    static final class Taker {
        private Taker() {}

        public static void main(String[] arguments) {
            take(THEIRS).forEach(System.out::println);
        }
    }
}
