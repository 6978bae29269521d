package io.holdfast.docs;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.SimpleJavaFileObject;

/**
 * A block as a file for the compiler. A type at the left margin makes it a file of its own; anything else becomes the
 * inside of a method of a {@link Scaffold}. What is to be done with a type, if it is no program, stands behind it in
 * such a method. Remembers which line of the page each of its lines is.
 */
final class JavaSource extends SimpleJavaFileObject {
    private static final Pattern TYPE = Pattern.compile(
            "^(?:@\\w+\\s+)?(?:(?:public|final|abstract|sealed) )*(?:class|record|interface|enum) (\\w+)",
            Pattern.MULTILINE);
    private static final String USUAL_IMPORTS = imports(
            "io.holdfast.*",
            "io.holdfast.docs.*",
            "io.holdfast.engine.LockEngine",
            "io.holdfast.fence.*",
            "io.holdfast.jdbc.*",
            "io.holdfast.memory.*",
            "io.holdfast.quorum.*",
            "io.holdfast.redis.*",
            "io.holdfast.spi.LockBackend",
            "io.holdfast.spring.*",
            "io.holdfast.spring.boot.test.*",
            "io.holdfast.spring.leader.*",
            "io.holdfast.tck.*",
            "io.holdfast.testing.*",
            "io.holdfast.zookeeper.*",
            "java.sql.*",
            "java.time.Duration",
            "java.util.*",
            "java.util.concurrent.*",
            "java.util.concurrent.atomic.*",
            "java.util.concurrent.locks.*",
            "java.util.stream.*",
            "org.apache.curator.framework.recipes.locks.InterProcessMultiLock",
            "org.apache.curator.framework.recipes.locks.InterProcessMutex",
            "org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock",
            "org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2",
            "org.junit.jupiter.api.Test",
            "org.redisson.api.RCountDownLatch",
            "org.redisson.api.RFencedLock",
            "org.redisson.api.RLock",
            "org.redisson.api.RPermitExpirableSemaphore",
            "org.redisson.api.RReadWriteLock",
            "org.redisson.api.RSemaphore",
            "org.springframework.beans.factory.annotation.Autowired",
            "org.springframework.boot.autoconfigure.SpringBootApplication",
            "org.springframework.boot.test.context.SpringBootTest",
            "org.springframework.context.annotation.Bean",
            "org.springframework.context.event.EventListener",
            "org.springframework.jdbc.core.simple.JdbcClient",
            "org.springframework.scheduling.annotation.Scheduled",
            "org.springframework.stereotype.Component",
            "org.springframework.stereotype.Service",
            "org.springframework.transaction.annotation.Isolation",
            "org.springframework.transaction.annotation.Propagation",
            "org.springframework.transaction.annotation.Transactional",
            "reactor.core.publisher.Flux",
            "reactor.core.publisher.Mono",
            "static org.assertj.core.api.Assertions.*",
            "static org.awaitility.Awaitility.await");

    private final Block block;
    private final String packageName;
    private final String typeName;
    private final boolean fragment;
    private final StringBuilder text = new StringBuilder();
    private final List<Integer> pageLines = new ArrayList<>();

    private JavaSource(Block block, String packageName, String typeName, boolean fragment) {
        super(URI.create("string:///" + packageName.replace('.', '/') + "/" + typeName + ".java"), Kind.SOURCE);
        this.block = block;
        this.packageName = packageName;
        this.typeName = typeName;
        this.fragment = fragment;
    }

    static JavaSource of(Block block, int number, Stage stage) {
        String packageName = "io.holdfast.docs.block" + number;
        Matcher type = TYPE.matcher(block.text());
        boolean hasType = type.find();
        boolean fragment = !hasType || block.note("then").isPresent();
        JavaSource source = new JavaSource(block, packageName, fragment ? "Block" : type.group(1), fragment);
        source.write(stage, hasType);
        return source;
    }

    private void write(Stage stage, boolean hasType) {
        boolean copied = block.lines().stream().anyMatch(line -> line.startsWith("import "));
        add(block.line(), "package " + packageName + ";");
        add(block.line(), copied && hasType ? "" : USUAL_IMPORTS);
        if (hasType) {
            addLines(stage, block.lines());
        } else {
            block.lines().stream().filter(line -> line.startsWith("import ")).forEach(line -> add(block.line(), line));
        }
        if (fragment) {
            add(block.line(), "public final class Block extends Scaffold {");
            add(block.line(), "public Block(Stage stage) throws Exception { super(stage); }");
            add(block.line(), "@Override public void run() throws Exception {");
            block.notes("given").forEach(note -> add(note.line(), stage.real(note.text())));
            if (!hasType) {
                addLines(
                        stage,
                        block.lines().stream()
                                .map(line -> line.startsWith("import ") ? "" : line)
                                .toList());
            }
            block.notes("then").forEach(note -> add(note.line(), stage.real(note.text())));
            add(block.line() + block.lines().size(), "}}");
        }
    }

    private void addLines(Stage stage, List<String> lines) {
        for (int i = 0; i < lines.size(); i++) {
            add(block.line() + 1 + i, stage.real(lines.get(i)));
        }
    }

    private void add(int pageLine, String line) {
        text.append(line).append('\n');
        pageLines.add(pageLine);
    }

    private static String imports(String... names) {
        StringBuilder line = new StringBuilder();
        for (String name : names) {
            line.append("import ").append(name).append("; ");
        }
        return line.toString();
    }

    Block block() {
        return block;
    }

    String className() {
        return packageName + "." + typeName;
    }

    boolean isFragment() {
        return fragment;
    }

    /** The page and line of a line that the compiler or a stack trace speaks of. */
    String at(long line) {
        int index = (int) Math.max(1, Math.min(line, pageLines.size())) - 1;
        return block.page().at(pageLines.get(index));
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
    }
}
