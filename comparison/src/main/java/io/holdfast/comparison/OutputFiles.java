package io.holdfast.comparison;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files that the options ask for. */
final class OutputFiles {
    private final BenchOptions options;

    OutputFiles(BenchOptions options) {
        this.options = options;
    }

    /** Whether they can be written is better known before twenty minutes of work than after. */
    void check() throws IOException {
        check("--json", options.json());
        check("--markdown", options.markdown());
        Path charts = options.charts();
        if (charts != null && Files.exists(charts) && !Files.isDirectory(charts)) {
            throw new IOException("--charts " + charts + " is a file; name a folder");
        }
    }

    private static void check(String option, @Nullable Path file) throws IOException {
        if (file == null) {
            return;
        }
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file) || folder == null || !Files.isWritable(folder)) {
            throw new IOException(option + " " + file + " cannot be written; name a file in a folder that exists");
        }
    }

    void write(List<Row> rows) throws IOException {
        write(options.json(), JsonReport.of(rows));
        write(options.markdown(), MarkdownReport.of(rows));
        Path charts = options.charts();
        if (charts != null) {
            Charts.write(rows, charts);
        }
    }

    private static void write(@Nullable Path file, String text) throws IOException {
        if (file != null) {
            Files.writeString(file, text);
        }
    }
}
