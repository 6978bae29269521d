package io.holdfast.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;

/** What the demo says, in one language. */
final class Words {
    static final List<String> LANGUAGES = List.of("en", "zh");

    private final String language;
    private final Properties texts = new Properties();

    private Words(String language) {
        this.language = language;
    }

    /** @throws IllegalArgumentException if the demo does not speak it */
    static Words in(String language) {
        if (!LANGUAGES.contains(language)) {
            throw new IllegalArgumentException("--lang: '" + language + "' is none of " + String.join(", ", LANGUAGES));
        }
        Words words = new Words(language);
        String file = "words-" + language + ".properties";
        try (InputStream in = Objects.requireNonNull(Words.class.getResourceAsStream(file), file)) {
            words.texts.load(new InputStreamReader(in, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return words;
    }

    String language() {
        return language;
    }

    Set<String> keys() {
        return texts.stringPropertyNames();
    }

    /** The text of this key, with the values in the places of {0}, {1} and so on. */
    String say(String key, Object... values) {
        String text = Objects.requireNonNull(texts.getProperty(key), key);
        for (int i = 0; i < values.length; i++) {
            text = text.replace("{" + i + "}", String.valueOf(values[i]));
        }
        return text;
    }
}
