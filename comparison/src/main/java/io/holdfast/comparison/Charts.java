package io.holdfast.comparison;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The pictures: {@code <workload>.svg} for each workload and {@code overview.svg} for all. */
final class Charts {

    private Charts() {}

    /** Makes the directory if there is none; files of an earlier run with the same names are replaced. */
    static void write(List<Row> rows, Path directory) throws IOException {
        Files.createDirectories(directory);
        List<Block> blocks = Block.of(rows);
        for (Block block : blocks) {
            Files.writeString(directory.resolve(block.workload() + ".svg"), BarChart.of(block));
        }
        Files.writeString(directory.resolve("overview.svg"), Overview.of(blocks));
    }
}
