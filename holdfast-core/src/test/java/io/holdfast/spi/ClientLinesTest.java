package io.holdfast.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClientLinesTest {
    @Test
    void bytes_manyNames_thoseWithTheMostThreads() {
        List<ClientLine> lines = new ArrayList<>();
        for (int i = 0; i < ClientLines.MOST + 50; i++) {
            lines.add(new ClientLine("name " + i, i, "ho\nlder %", i));
        }
        assertThat(ClientLines.read(ClientLines.bytes(lines)))
                .hasSize(ClientLines.MOST)
                .contains(lines.get(50), lines.get(149))
                .doesNotContain(lines.get(49));
        assertThat(ClientLines.bytes(lines))
                .as("no more is written")
                .isEqualTo(ClientLines.bytes(lines.subList(50, 150)));
    }

    @Test
    void read_cutOff_isNothing() {
        byte[] bytes = ClientLines.bytes(List.of(new ClientLine("a", 1, "b", 2)));
        assertThat(ClientLines.read(Arrays.copyOf(bytes, bytes.length - 1))).isEmpty();
        assertThat(ClientLines.read(new byte[0])).isEmpty();
        assertThat(ClientLines.read(new byte[] {127, 0, 0, 0})).isEmpty();
    }
}
