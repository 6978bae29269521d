package io.holdfast.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.Locale;

/** Asks a person before something that cannot be undone. */
final class Question {
    private Question() {}

    /** Whether the person at the terminal says yes. Nothing, and the end of the input, mean no. */
    static boolean isAnsweredYes(Screen screen, String question) {
        if (!Screen.isTerminal(0)) {
            throw new IllegalArgumentException("there is no terminal to ask at; say --yes if you mean it");
        }
        screen.errorText(question + " [y/N] ");
        try {
            String answer = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
            if (answer == null) {
                screen.errorText(System.lineSeparator());
                return false;
            }
            String word = answer.strip().toLowerCase(Locale.ROOT);
            return word.equals("y") || word.equals("yes");
        } catch (IOException unreadable) {
            return false;
        }
    }
}
