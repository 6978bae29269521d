package io.holdfast.spring;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.springframework.aop.framework.AopInfrastructureBean;

/** The templates of all {@link Locked} methods that were found, by their beginnings: see {@link LockGroups}. */
final class TemplateGroups implements AopInfrastructureBean {
    private final ConcurrentSkipListMap<String, String> byBeginning = new ConcurrentSkipListMap<>();

    void add(String template) {
        int brace = template.indexOf('{');
        String beginning = brace < 0 ? template : template.substring(0, brace);
        if (!beginning.isEmpty()) {
            byBeginning.merge(beginning, template, TemplateGroups::first);
        }
    }

    /** Of two that begin alike always the same one, whichever came first. */
    private static String first(String one, String other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    String groupOf(String name) {
        String candidate = name;
        Map.Entry<String, String> entry = byBeginning.floorEntry(candidate);
        while (entry != null) {
            String beginning = entry.getKey();
            if (name.startsWith(beginning)) {
                return entry.getValue();
            }
            candidate = name.substring(0, common(name, beginning));
            entry = candidate.isEmpty() ? null : byBeginning.floorEntry(candidate);
        }
        int colon = name.indexOf(':');
        return colon < 0 ? name : name.substring(0, colon);
    }

    /** Whatever sorts below and is a beginning of the name is a beginning of what both have in common. */
    private static int common(String name, String other) {
        int length = Math.min(name.length(), other.length());
        int i = 0;
        while (i < length && name.charAt(i) == other.charAt(i)) {
            i++;
        }
        return i;
    }
}
