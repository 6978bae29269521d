package io.holdfast.release;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A library that comes along, as the list in CycloneDX's format says.
 *
 * @param name group and artifact, with a colon between them
 * @param version which one
 * @param licences any of which it may be used under
 */
record Library(String name, String version, List<String> licences) {

    /** Reads such a list; our own modules are left out. */
    static List<Library> allOf(Path sbom) throws IOException {
        JsonObject all;
        try (Reader reader = Files.newBufferedReader(sbom)) {
            all = JsonParser.parseReader(reader).getAsJsonObject();
        }
        if (!Json.text(all, "bomFormat").equals("CycloneDX")) {
            throw new IOException(sbom + " is not in the format of CycloneDX");
        }
        return Json.objects(all, "components")
                .filter(each -> !Json.text(each, "group").equals("io.holdfast"))
                .map(Library::read)
                .toList();
    }

    private static Library read(JsonObject component) {
        return new Library(
                Json.text(component, "group") + ":" + Json.text(component, "name"),
                Json.text(component, "version"),
                Json.objects(component, "licenses").map(Library::licence).toList());
    }

    private static String licence(JsonObject entry) {
        if (entry.has("expression")) {
            return Json.text(entry, "expression");
        }
        JsonObject licence = entry.getAsJsonObject("license");
        return Json.text(licence, licence.has("id") ? "id" : "name");
    }
}
