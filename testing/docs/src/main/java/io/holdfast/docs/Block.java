package io.holdfast.docs;

import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * One fenced code block.
 *
 * @param page where it stands
 * @param line the line of its opening fence
 * @param language what the fence says
 * @param lines what is between the fences
 * @param notes what comments before it say
 */
record Block(Page page, int line, String language, List<String> lines, List<Note> notes) {
    String where() {
        return page.at(line);
    }

    String text() {
        return String.join("\n", lines);
    }

    List<Note> notes(String word) {
        return notes.stream().filter(note -> note.word().equals(word)).toList();
    }

    Optional<Note> note(String word) {
        return notes(word).stream().findFirst();
    }

    /** Whether it stands in a file that is compiled and run elsewhere, line by line. */
    boolean isExcerpt(String file) {
        List<String> whole = file.lines().map(String::strip).toList();
        List<String> part = lines.stream().map(String::strip).toList();
        return Collections.indexOfSubList(whole, part) >= 0;
    }

    Problem problem(String what) {
        return new Problem(where(), what);
    }
}
