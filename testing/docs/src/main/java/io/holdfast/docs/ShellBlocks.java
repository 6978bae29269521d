package io.holdfast.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs what pages tell users to type, as they would: in a shell, at the root of the repository. A block is one session;
 * its lines share what they export. Lines that are {@link LeftOut} are not run.
 */
final class ShellBlocks {
    private final Stage stage;
    private final Path folder;
    private final List<LeftOut> leftOut;
    private final Duration limit;

    /**
     * Runs commands for a stage.
     *
     * @param folder for what commands leave behind, such as the user's own Redis
     * @param leftOut what is not run
     * @param limit how long a block may run
     */
    ShellBlocks(Stage stage, Path folder, List<LeftOut> leftOut, Duration limit) {
        this.stage = stage;
        this.folder = folder;
        this.leftOut = leftOut;
        this.limit = limit;
    }

    /** Where the Redis of commands without a URL is. */
    Path home() {
        return folder.resolve("home");
    }

    List<Problem> run(Block block) {
        List<Problem> problems = new ArrayList<>(notRun(block));
        problems.addAll(failures(block));
        return problems;
    }

    private List<Problem> notRun(Block block) {
        List<Problem> problems = new ArrayList<>();
        for (int i = 0; i < block.lines().size(); i++) {
            String line = block.lines().get(i);
            String where = block.page().at(block.line() + 1 + i);
            leftOut.stream()
                    .filter(each -> each.fits(line))
                    .flatMap(each -> each.troubles(line).stream())
                    .forEach(trouble -> problems.add(new Problem(where, trouble)));
        }
        return problems;
    }

    private List<Problem> failures(Block block) {
        int wanted =
                block.note("exits").map(note -> Integer.parseInt(note.text())).orElse(0);
        try {
            Path printed = Files.createTempFile(folder, "block", ".txt");
            Path line = Files.createTempFile(folder, "line", ".txt");
            Process process = start(script(block, line), printed);
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                return List.of(new Problem(at(block, line), "still runs after " + limit));
            }
            if (process.exitValue() == wanted) {
                return List.of();
            }
            return List.of(new Problem(
                    at(block, line),
                    "exits with " + process.exitValue() + ", expected " + wanted + ": " + tail(printed)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + block.where() + " ran", e);
        }
    }

    private Process start(String script, Path printed) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("bash", "-e", "-o", "pipefail", "-c", script)
                .directory(Page.ROOT.toFile())
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile());
        builder.environment().put("HOLDFAST_HOME", home().toString());
        builder.environment().put("HOLDFAST_IDLE_SECONDS", "30");
        builder.environment().remove("HOLDFAST_URL");
        return builder.start();
    }

    /** The block, with a line before each line that says where we are. */
    private String script(Block block, Path current) {
        StringBuilder script = new StringBuilder();
        boolean goesOn = false;
        boolean runs = true;
        for (int i = 0; i < block.lines().size(); i++) {
            String line = block.lines().get(i);
            if (!goesOn) {
                runs = leftOut.stream().noneMatch(each -> each.fits(line));
                script.append("echo ")
                        .append(block.line() + 1 + i)
                        .append(" > '")
                        .append(current)
                        .append("'\n");
            }
            goesOn = line.endsWith("\\");
            script.append(runs ? stage.real(line) : ":").append('\n');
        }
        return script.toString();
    }

    private static String at(Block block, Path current) throws IOException {
        String line = Files.readString(current).strip();
        return line.isEmpty() ? block.where() : block.page().at(Integer.parseInt(line));
    }

    private static String tail(Path printed) throws IOException {
        String text = Files.readString(printed).strip();
        return text.substring(Math.max(0, text.length() - 1_000));
    }
}
