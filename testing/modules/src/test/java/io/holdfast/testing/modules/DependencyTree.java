package io.holdfast.testing.modules;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code dependency:tree} wrote, with all that it left out as a duplicate. What the module itself calls optional,
 * or needs for its tests, does not come along, and a library below it only if there is another way to it; so the ways
 * are walked.
 */
final class DependencyTree {
    private static final Pattern LINE = Pattern.compile("^([|+\\\\ -]*)\\(?([\\w.-]+:[\\w.-]+):jar:.*");

    private static final Pattern NOT_FOR_USERS = Pattern.compile(":(?:test|provided)\\b");

    private final Map<String, Set<String>> children = new HashMap<>();
    private String root = "";

    /**
     * Reads a tree.
     *
     * @param lines the tree, whose root is the module
     * @param optional what does not come along with the module
     */
    DependencyTree(List<String> lines, Set<String> optional) {
        Deque<String> above = new ArrayDeque<>();
        Deque<Integer> depths = new ArrayDeque<>();
        for (String line : lines) {
            Matcher found = LINE.matcher(line);
            if (!found.matches()) {
                throw new IllegalArgumentException("not a line of a tree: " + line);
            }
            int depth = found.group(1).length();
            while (!depths.isEmpty() && depths.getLast() >= depth) {
                depths.removeLast();
                above.removeLast();
            }
            String name = found.group(2);
            if (above.isEmpty()) {
                root = name;
            } else if (above.size() > 1
                    || (!optional.contains(name) && !NOT_FOR_USERS.matcher(line).find())) {
                children.computeIfAbsent(above.getLast(), any -> new HashSet<>())
                        .add(name);
            }
            depths.addLast(depth);
            above.addLast(name);
        }
    }

    /** What users get, whichever of ours they get it from. */
    Set<String> librariesOfOthers() {
        Set<String> reached = new TreeSet<>();
        Deque<String> next = new ArrayDeque<>(Set.of(root));
        while (!next.isEmpty()) {
            for (String child : children.getOrDefault(next.removeFirst(), Set.of())) {
                if (reached.add(child)) {
                    next.addLast(child);
                }
            }
        }
        reached.removeIf(name -> name.startsWith("io.holdfast:"));
        return reached;
    }
}
