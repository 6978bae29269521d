package io.holdfast.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.demo.WorkerLine.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerLineTest {
    @ParameterizedTest
    @EnumSource
    void parse_whatWasWritten_isTheSame(Kind kind) {
        WorkerLine line = new WorkerLine(kind, 1_794_817_718_116_335L, 42, 7);

        assertThat(WorkerLine.parse(line.toString())).contains(line);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "SOLD",
                "SOLD 1 2",
                "SOLD 1 2 3 4",
                "SOLD 1 2 three",
                "SOLD 1 -2 3",
                "sold 1 2 3",
                "STOLEN 1 2 3",
                "SOLD 1 2 99999999999999999999",
                "OpenJDK 64-Bit Server VM warning: something"
            })
    void parse_anythingElse_isNothing(String text) {
        assertThat(WorkerLine.parse(text)).isEmpty();
    }

    @Test
    void order_whatWasWritten_isTheSame() {
        Order sale = Order.sale(3, 4, 200, 5, true);

        assertThat(sale).hasToString("SALE 3 4 200 5 1");
        assertThat(Order.parse(sale.toString())).isEqualTo(sale);
        assertThat(Order.parse("GO")).isEqualTo(Order.of(Order.Verb.GO));
    }
}
