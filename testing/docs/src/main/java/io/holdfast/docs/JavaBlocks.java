package io.holdfast.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/** The Java blocks of all pages, compiled in one go. */
final class JavaBlocks {
    private final List<JavaSource> sources = new ArrayList<>();
    private final Stage stage;
    private final Path classes;
    private final Duration limit;

    /**
     * Prepares blocks.
     *
     * @param classes where the compiler writes
     * @param limit how long a block may run
     */
    JavaBlocks(List<Block> blocks, Stage stage, Path classes, Duration limit) {
        this.stage = stage;
        this.classes = classes;
        this.limit = limit;
        for (Block block : blocks) {
            sources.add(JavaSource.of(block, sources.size() + 1, stage));
        }
    }

    List<JavaSource> sources() {
        return sources;
    }

    /** What the compiler does not accept, by page and line. */
    List<Problem> compile() {
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        List<String> options = List.of(
                "-proc:none",
                "-parameters",
                "-classpath",
                System.getProperty("java.class.path"),
                "-d",
                classes.toString());
        ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, said, options, null, sources)
                .call();
        return said.getDiagnostics().stream()
                .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                .map(JavaBlocks::problem)
                .toList();
    }

    private static Problem problem(Diagnostic<? extends JavaFileObject> said) {
        String what = "does not compile: " + said.getMessage(Locale.ROOT).replaceAll("\\s*\n\\s*", " ");
        return said.getSource() instanceof JavaSource source
                ? new Problem(source.at(said.getLineNumber()), what)
                : new Problem("the compiler", what);
    }

    /** Runs one, and says where and how it failed. */
    List<Problem> run(JavaSource source) {
        try (URLClassLoader loader = new URLClassLoader(new URL[] {folder()}, JavaBlocks.class.getClassLoader())) {
            return new JavaRun(source, stage, loader, limit).problems();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private URL folder() throws MalformedURLException {
        return classes.toUri().toURL();
    }
}
