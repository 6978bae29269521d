package io.holdfast.testing.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds classes that depend on each other in a circle. Nested classes count as part of the class they are in. Two kinds
 * of pairs may know each other: a type and its builder, and an interface and a class of its own package that implements
 * it.
 */
public final class ClassCycles {
    private final Map<String, Set<String>> uses = new TreeMap<>();

    private ClassCycles(JavaClasses classes) {
        for (JavaClass each : classes) {
            String from = outermost(each).getName();
            uses.computeIfAbsent(from, name -> new TreeSet<>());
            for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
                JavaClass target = outermost(dependency.getTargetClass());
                if (classes.contain(target.getName()) && !mayKnow(each, dependency.getTargetClass())) {
                    uses.get(from).add(target.getName());
                }
            }
            uses.get(from).remove(from);
        }
    }

    /**
     * Finds the cycles among some classes.
     *
     * @param classes of one module, or of some packages of it
     * @return one line for each group of classes that all depend on each other, empty if there is none
     */
    public static List<String> among(JavaClasses classes) {
        return new ClassCycles(classes).groups();
    }

    private static boolean mayKnow(JavaClass from, JavaClass to) {
        JavaClass user = outermost(from);
        JavaClass used = outermost(to);
        boolean builder = used.getName().equals(user.getName() + "Builder");
        boolean ownDefault = from.isInterface()
                && used.getPackageName().equals(user.getPackageName())
                && to.isAssignableTo(from.getName());
        return builder || ownDefault;
    }

    private static JavaClass outermost(JavaClass inner) {
        JavaClass outer = inner.isArray() ? inner.getBaseComponentType() : inner;
        while (outer.getEnclosingClass().isPresent()) {
            outer = outer.getEnclosingClass().get();
        }
        return outer;
    }

    private List<String> groups() {
        List<String> groups = new ArrayList<>();
        Set<String> done = new TreeSet<>();
        for (String name : uses.keySet()) {
            Set<String> group = new TreeSet<>();
            for (String reached : reachable(name)) {
                if (reachable(reached).contains(name)) {
                    group.add(reached);
                }
            }
            if (!group.isEmpty() && done.add(group.toString())) {
                groups.add(described(group));
            }
        }
        return groups;
    }

    private Set<String> reachable(String start) {
        Set<String> reached = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>(uses.getOrDefault(start, Set.of()));
        while (!open.isEmpty()) {
            String next = open.pop();
            if (reached.add(next)) {
                open.addAll(uses.getOrDefault(next, Set.of()));
            }
        }
        return reached;
    }

    private String described(Set<String> group) {
        List<String> edges = new ArrayList<>();
        for (String user : group) {
            Set<String> used = new TreeSet<>(uses.getOrDefault(user, Set.of()));
            used.retainAll(group);
            edges.add(user + " uses " + used);
        }
        return String.join("; ", edges);
    }
}
