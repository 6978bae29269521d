package io.holdfast.spi;

import io.holdfast.LockKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The text of a {@link WaitRecord}: a line that says what it is and which version, then a line for each suspect, words
 * with a blank between them. In a word, {@code %}, blanks and control characters are written as {@code %} and two hex
 * digits.
 *
 * @since 0.1
 */
public final class WaitText {
    /** The longest text of a record, in characters. */
    public static final int MOST_CHARACTERS = 64 * 1024;

    private static final String TITLE = "holdfast-waits";
    private static final long FORMAT = 1;

    private WaitText() {}

    /**
     * Writes a record down. Suspects that do not fit are left out.
     *
     * @param record what to write
     * @return what {@link #read} reads, at most {@value #MOST_CHARACTERS} characters
     */
    public static String of(WaitRecord record) {
        StringBuilder text = new StringBuilder(TITLE + " " + FORMAT);
        text.append(' ').append(record.version()).append(' ').append(record.unbroken());
        record.suspects().stream().limit(WaitRecord.MOST_SUSPECTS).forEach(suspect -> {
            String line = line(suspect);
            if (text.length() + line.length() < MOST_CHARACTERS) {
                text.append('\n').append(line);
            }
        });
        return text.toString();
    }

    private static String line(WaitRecord.Suspect suspect) {
        List<WaitRecord.Hold> holds =
                suspect.holds().stream().limit(WaitRecord.MOST_HOLDS).toList();
        Words words = new Words()
                .add(suspect.serial())
                .add(suspect.ownerKey())
                .add(suspect.owner())
                .add(suspect.fails() ? "fail" : "report")
                .add(suspect.resource())
                .add(suspect.weight())
                .add(suspect.most())
                .add(suspect.claim())
                .add(suspect.place().name().toLowerCase(Locale.ROOT))
                .add(suspect.sinceMillis())
                .add(suspect.untilMillis())
                .add(holds.size());
        holds.forEach(hold -> words.add(hold.certain() ? "certain" : "likely")
                .add(hold.resource())
                .add(hold.claim())
                .add(hold.token())
                .add(hold.weight())
                .add(hold.untilMillis()));
        return words.toString();
    }

    /**
     * Reads a record.
     *
     * @param client whose it is
     * @param text written by {@link #of}
     * @return the record
     * @throws IllegalArgumentException if it is none, or of a later format, or larger than any can be
     */
    public static WaitRecord read(String client, String text) {
        if (text.length() > MOST_CHARACTERS) {
            throw wrong("it has " + text.length() + " characters");
        }
        String[] lines = text.split("\n", -1);
        Reader title = new Reader(lines[0]);
        if (!title.word().equals(TITLE)) {
            throw wrong("it does not begin with " + TITLE);
        }
        if (title.number(1) != FORMAT) {
            throw wrong("it is of another format than " + FORMAT);
        }
        long version = title.number(1);
        long unbroken = title.number(0);
        title.end();
        if (lines.length - 1 > WaitRecord.MOST_SUSPECTS) {
            throw wrong("it has " + (lines.length - 1) + " suspects");
        }
        List<WaitRecord.Suspect> suspects = new ArrayList<>();
        for (int i = 1; i < lines.length; i++) {
            suspects.add(suspect(new Reader(lines[i])));
        }
        return new WaitRecord(client, version, unbroken, suspects);
    }

    private static WaitRecord.Suspect suspect(Reader words) {
        long serial = words.number(1);
        String ownerKey = words.word();
        String owner = words.word();
        boolean fails = words.choice("fail", "report");
        Resource resource = words.resource();
        int weight = words.count(1, resource.capacity());
        int most = words.count(weight, resource.capacity());
        ClaimId claim = words.claim();
        WaitRecord.Place place = words.place();
        long sinceMillis = words.number(0);
        long untilMillis = words.number(0);
        int number = words.count(0, WaitRecord.MOST_HOLDS);
        List<WaitRecord.Hold> holds = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            boolean certain = words.choice("certain", "likely");
            Resource held = words.resource();
            ClaimId holding = words.claim();
            long token = words.number(Long.MIN_VALUE);
            holds.add(new WaitRecord.Hold(
                    certain, held, holding, token, words.count(1, held.capacity()), words.number(0)));
        }
        words.end();
        return new WaitRecord.Suspect(
                serial, ownerKey, owner, fails, resource, weight, most, claim, place, sinceMillis, untilMillis, holds);
    }

    private static IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException("not a record of waits: " + why);
    }

    /** Puts words into a line. */
    private static final class Words {
        private final StringBuilder line = new StringBuilder();

        Words add(String word) {
            if (line.length() > 0) {
                line.append(' ');
            }
            for (int i = 0; i < word.length(); i++) {
                char each = word.charAt(i);
                if (each <= ' ' || each == '%' || Character.isISOControl(each)) {
                    line.append('%')
                            .append(Character.forDigit(each >> 4, 16))
                            .append(Character.forDigit(each & 15, 16));
                } else {
                    line.append(each);
                }
            }
            return this;
        }

        Words add(long number) {
            return add(Long.toString(number));
        }

        Words add(Resource resource) {
            return add(resource.kind().name()).add(resource.name()).add(resource.capacity());
        }

        Words add(ClaimId claim) {
            return add(claim.client()).add(claim.sequence());
        }

        @Override
        public String toString() {
            return line.toString();
        }
    }

    /** Takes words out of a line. */
    private static final class Reader {
        private final String[] words;
        private int next;

        Reader(String line) {
            words = line.split(" ", -1);
        }

        String word() {
            if (next == words.length || words[next].isEmpty()) {
                throw wrong("a word is missing");
            }
            String word = words[next++];
            StringBuilder plain = new StringBuilder();
            for (int i = 0; i < word.length(); i++) {
                char each = word.charAt(i);
                if (each == '%') {
                    each = (char) hex(word, i + 1);
                    i += 2;
                }
                plain.append(each);
            }
            return plain.toString();
        }

        private static int hex(String word, int start) {
            int high = start + 1 < word.length() ? Character.digit(word.charAt(start), 16) : -1;
            int low = high < 0 ? -1 : Character.digit(word.charAt(start + 1), 16);
            if (low < 0) {
                throw wrong("an escape in " + word + " is incomplete");
            }
            return high << 4 | low;
        }

        long number(long least) {
            String word = word();
            try {
                long number = Long.parseLong(word);
                if (number >= least) {
                    return number;
                }
            } catch (NumberFormatException none) {
                throw wrong(word + " is no number");
            }
            throw wrong(word + " is less than " + least);
        }

        int count(int least, int most) {
            long number = number(least);
            if (number > most) {
                throw wrong(number + " is more than " + most);
            }
            return (int) number;
        }

        boolean choice(String yes, String no) {
            String word = word();
            if (!word.equals(yes) && !word.equals(no)) {
                throw wrong(word + " is neither " + yes + " nor " + no);
            }
            return word.equals(yes);
        }

        WaitRecord.Place place() {
            String word = word();
            for (WaitRecord.Place each : WaitRecord.Place.values()) {
                if (each.name().toLowerCase(Locale.ROOT).equals(word)) {
                    return each;
                }
            }
            throw wrong(word + " is no way to wait");
        }

        Resource resource() {
            String word = word();
            LockKind kind = kind(word);
            if (kind == null) {
                throw wrong(word + " is no kind of lock");
            }
            return new Resource(kind, word(), count(1, Integer.MAX_VALUE));
        }

        private static @Nullable LockKind kind(String word) {
            for (LockKind each : LockKind.values()) {
                if (each.name().equals(word)) {
                    return each;
                }
            }
            return null;
        }

        ClaimId claim() {
            return new ClaimId(word(), number(0));
        }

        void end() {
            if (next != words.length) {
                throw wrong("there are words too many");
            }
        }
    }
}
