package io.holdfast.docs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a page has in every language: its headings, lists, tables and code, without the words between them. */
final class Outline {
    private static final Pattern MARK = Pattern.compile("(#{1,6} |- |\\d+\\. |\\|).*");
    private static final Pattern COMMENT = Pattern.compile("\\s*(?<![^\\s])(//|#|<!--) .*|(?<= -- echo ).*");

    private Outline() {}

    /** The parts of a page, one after the other. */
    static List<String> of(Page page) {
        Map<Integer, Block> blocks = new HashMap<>();
        Blocks.of(page).found().forEach(block -> blocks.put(block.line(), block));
        List<String> parts = new ArrayList<>();
        for (int line = 1; line <= page.lines().size(); line++) {
            Block block = blocks.get(line);
            if (block != null) {
                parts.add("```" + block.language());
                parts.addAll(codeOf(block));
                line += block.lines().size() + 1;
            } else {
                markOf(page.lines().get(line - 1), parts);
            }
        }
        return parts;
    }

    private static void markOf(String line, List<String> parts) {
        String words = Blocks.CODE.matcher(line).replaceAll("code");
        Matcher mark = MARK.matcher(words);
        if (mark.matches()) {
            parts.add(mark.group(1).equals("|") ? words.replaceAll("[^|]+", " ") : mark.group(1));
        }
    }

    /** The lines of a block without comments, and without what an example prints for its reader. */
    static List<String> codeOf(Block block) {
        return block.lines().stream()
                .map(line -> COMMENT.matcher(line).replaceAll(""))
                .toList();
    }

    /** Everything between two backticks in the text, which is called the same in any language. */
    static Set<String> namesOf(Page page) {
        Set<String> names = new TreeSet<>();
        page.lines().forEach(line -> Blocks.CODE.matcher(line).results().forEach(found -> names.add(found.group())));
        return names;
    }
}
