package io.holdfast.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes a page apart into its code blocks. What is not fenced, or has no language, would be run by nobody: both are
 * problems.
 */
final class Blocks {
    /** Text is what a program prints; everything else is run or looked up. */
    private static final Set<String> LANGUAGES = Set.of("java", "kotlin", "sh", "xml", "text");

    private static final Set<String> WORDS = Set.of("given", "then", "throws", "waits", "compiles", "exits", "from");
    private static final Pattern FENCE = Pattern.compile("(```+)(.*)");
    /**
     * Code that Markdown shows and that {@link #FENCE} does not see: other fences, also in lists and quotes, and HTML.
     */
    private static final Pattern UNSEEN =
            Pattern.compile("(?:[\\s>*+-]|\\d+[.)])*(?:```|~~~).*|.*<pre\\b.*", Pattern.CASE_INSENSITIVE);

    /** Code within a line, which is only shown. */
    static final Pattern CODE = Pattern.compile("(?<!`)`[^`]+`(?!`)");

    private static final Pattern NOTE = Pattern.compile("<!-- ([a-z]+)(?:: (.*?))? -->");
    private static final Pattern INDENTED = Pattern.compile(" {4,}\\S.*");

    private final Page page;
    private final List<Block> found = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private final List<Note> notes = new ArrayList<>();

    private Blocks(Page page) {
        this.page = page;
    }

    static Blocks of(Page page) {
        Blocks blocks = new Blocks(page);
        blocks.read();
        return blocks;
    }

    List<Block> found() {
        return found;
    }

    List<Problem> problems() {
        return problems;
    }

    private void read() {
        List<String> lines = page.lines();
        boolean afterBlank = true;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            Matcher fence = FENCE.matcher(line);
            if (fence.matches()) {
                i = take(i, fence);
                notes.clear();
            } else if (!line.isBlank() && !note(i, line)) {
                notes.clear();
                if (UNSEEN.matcher(CODE.matcher(line).replaceAll("code")).matches()) {
                    problems.add(new Problem(
                            page.at(i + 1),
                            "code nobody runs; write it with three backticks at the beginning of a line"));
                } else if (afterBlank && INDENTED.matcher(line).matches()) {
                    problems.add(new Problem(page.at(i + 1), "code by indentation; fence it and say its language"));
                }
            }
            afterBlank = line.isBlank();
        }
    }

    private boolean note(int index, String line) {
        Matcher note = NOTE.matcher(line);
        if (!note.matches()) {
            return false;
        }
        String word = note.group(1);
        if (!WORDS.contains(word)) {
            problems.add(new Problem(page.at(index + 1), "'" + word + "' is none of " + WORDS));
        }
        notes.add(new Note(index + 1, word, note.group(2) == null ? "" : note.group(2)));
        return true;
    }

    /** Reads a block and returns the index of its closing fence. */
    private int take(int open, Matcher fence) {
        String language = fence.group(2).strip();
        if (!LANGUAGES.contains(language)) {
            String said = language.isEmpty() ? "a block without a language" : "'" + language + "' is not known";
            problems.add(new Problem(page.at(open + 1), said + "; say one of " + LANGUAGES));
        }
        List<String> lines = new ArrayList<>();
        for (int i = open + 1; i < page.lines().size(); i++) {
            String line = page.lines().get(i);
            if (line.strip().equals(fence.group(1))) {
                Block block = new Block(page, open + 1, language, lines, List.copyOf(notes));
                if (language.equals("kotlin")
                        && !page.isTranslation()
                        && block.note("from").isEmpty()) {
                    problems.add(block.problem("code nobody runs; say from which tested file it is"));
                }
                found.add(block);
                return i;
            }
            lines.add(line);
        }
        problems.add(new Problem(page.at(open + 1), "a block that nothing closes"));
        return page.lines().size();
    }
}
