package io.holdfast.release;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.maven.artifact.versioning.ComparableVersion;

/**
 * An advisory in the format of OSV: which versions of which libraries have which fault.
 *
 * @param id what it is called
 * @param summary what is wrong
 * @param affected what has the fault
 */
record Advisory(String id, String summary, List<Affected> affected) {

    /**
     * A library that has the fault in some versions.
     *
     * @param library group and artifact
     * @param versions some of those versions, one by one
     * @param ranges others
     */
    record Affected(String library, List<String> versions, List<List<Event>> ranges) {}

    /**
     * Where a range begins or ends.
     *
     * @param kind introduced, fixed (not with this version any more) or last_affected (still with this one)
     * @param version which one
     */
    record Event(String kind, ComparableVersion version) {

        /** Whether a version has the fault when this has happened, too. */
        boolean affects(ComparableVersion asked, boolean before) {
            int order = asked.compareTo(version);
            return switch (kind) {
                case "introduced" -> before || order >= 0;
                case "fixed" -> before && order < 0;
                case "last_affected" -> before && order <= 0;
                default -> before; // "limit" is for branches of repositories
            };
        }
    }

    /** Reads an advisory; one that was withdrawn affects nothing. */
    static Advisory read(JsonObject entry) {
        Stream<JsonObject> affected = entry.has("withdrawn") ? Stream.empty() : Json.objects(entry, "affected");
        return new Advisory(
                Json.text(entry, "id"),
                Json.text(entry, "summary"),
                affected.filter(Advisory::isOfMaven).map(Advisory::affected).toList());
    }

    private static boolean isOfMaven(JsonObject affected) {
        return affected.has("package")
                && Json.text(affected.getAsJsonObject("package"), "ecosystem").equals("Maven");
    }

    private static Affected affected(JsonObject entry) {
        return new Affected(
                Json.text(entry.getAsJsonObject("package"), "name"),
                Json.elements(entry, "versions").map(JsonElement::getAsString).toList(),
                Json.objects(entry, "ranges")
                        .filter(range -> !Json.text(range, "type").equals("GIT"))
                        .map(Advisory::range)
                        .toList());
    }

    /** In the order of their versions; the file may have them in any. */
    private static List<Event> range(JsonObject range) {
        return Json.objects(range, "events")
                .flatMap(event -> event.entrySet().stream())
                .map(event -> new Event(
                        event.getKey(), new ComparableVersion(event.getValue().getAsString())))
                .sorted(Comparator.comparing(Event::version))
                .toList();
    }

    boolean affects(Library library) {
        ComparableVersion version = new ComparableVersion(library.version());
        return affected.stream()
                .filter(each -> each.library().equals(library.name()))
                .anyMatch(each -> each.versions().contains(library.version())
                        || each.ranges().stream().anyMatch(range -> isIn(range, version)));
    }

    private static boolean isIn(List<Event> range, ComparableVersion version) {
        boolean affected = false;
        for (Event event : range) {
            affected = event.affects(version, affected);
        }
        return affected;
    }
}
