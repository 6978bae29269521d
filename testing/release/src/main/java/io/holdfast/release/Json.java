package io.holdfast.release;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** What may be missing in an object of JSON is empty. */
final class Json {
    private Json() {}

    static String text(JsonObject of, String name) {
        return of.has(name) ? of.get(name).getAsString() : "";
    }

    static Stream<JsonElement> elements(JsonObject of, String name) {
        JsonArray found = of.has(name) ? of.getAsJsonArray(name) : new JsonArray();
        return StreamSupport.stream(found.spliterator(), false);
    }

    static Stream<JsonObject> objects(JsonObject of, String name) {
        return elements(of, name).map(JsonElement::getAsJsonObject);
    }
}
