package io.holdfast.site;

import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The command behind bin/site. */
public final class Main {
    private static final String USAGE = """
            usage: bin/site [--out FOLDER] [--no-javadoc] [--serve [--port PORT]]

            Renders README.md, the other pages of the root and docs to static HTML, in target/site unless told otherwise,
            with the Javadoc of the published modules beside it. Ends with 1 if a link leads nowhere.
              --serve         then shows it at http://localhost:8000 until Ctrl-C
              --no-javadoc    does not build Javadoc; takes what an earlier build left
            """;

    private Main() {}

    /** Runs it: the root of the repository, and what the user said. */
    public static void main(String[] args) throws IOException {
        int status = run(args);
        if (status != 0) {
            System.exit(status);
        }
    }

    static int run(String[] args) throws IOException {
        Path root = Path.of(args[0]);
        Path out = root.resolve("target/site");
        boolean serve = false;
        int port = 8000;
        Deque<String> words = new ArrayDeque<>(Arrays.asList(args).subList(1, args.length));
        while (!words.isEmpty()) {
            String word = words.remove();
            @Nullable String value = List.of("--out", "--port").contains(word) ? words.poll() : "";
            if (word.equals("--help")) {
                System.out.print(USAGE);
                return 0;
            } else if (word.equals("--out") && value != null) {
                out = Path.of(value);
            } else if (word.equals("--port") && value != null && value.matches("\\d{1,5}")) {
                port = Integer.parseInt(value);
            } else if (word.equals("--serve")) {
                serve = true;
            } else if (!word.equals("--no-javadoc")) { // that one is for the script
                System.err.print("bin/site: " + word + " is not understood\n" + USAGE);
                return 2;
            }
        }
        int pages = new Site(new Repository(root), out).write();
        List<String> wrong = DeadLinks.of(out);
        wrong.forEach(System.err::println);
        System.out.println(pages + " pages in " + out);
        if (serve) {
            try {
                System.out.println(Server.start(out, port).url() + " until Ctrl-C");
            } catch (BindException taken) {
                System.err.println("bin/site: something else listens on port " + port + "; choose another with --port");
                return 1;
            }
        }
        return serve || wrong.isEmpty() ? 0 : 1;
    }
}
