package io.holdfast.testing.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;

/**
 * The time functions of one process, replaced.
 *
 * <p>Linux maps a small library, the vDSO, into every process; whatever C library a program has, static or not, asks it
 * for the time. Its pages can be written through {@code /proc/<pid>/mem} by the process's parent, and belong to that
 * process alone once written. The code of {@code clock_shim.s} goes to the unused end of the mapping, then the first bytes
 * of each function become a jump to it. Nothing stops meanwhile: a caller is either before the jump or past it, as the
 * code itself is complete by then.
 */
final class Vdso {
    private static final int SHIM_SIZE = 0xe0;
    private static final Map<String, Integer> ENTRIES =
            Map.of("__vdso_clock_gettime", 0x20, "__vdso_gettimeofday", 0x80, "__vdso_time", 0xc0);
    private static final byte JUMP = (byte) 0xe9;
    private static final int JUMP_SIZE = 5;

    private static final int PT_DYNAMIC = 2;
    private static final int DT_STRTAB = 5;
    private static final int DT_SYMTAB = 6;
    private static final int PROGRAM_HEADER_SIZE = 56;
    private static final int SYMBOL_SIZE = 24;

    private final long pid;
    private final long shim;

    private Vdso(long pid, long shim) {
        this.pid = pid;
        this.shim = shim;
    }

    static Vdso takeOver(long pid) throws IOException {
        try (RandomAccessFile memory = memory(pid)) {
            String range = mapping(pid);
            int dash = range.indexOf('-');
            long base = Long.parseLong(range, 0, dash, 16);
            byte[] image = new byte[(int) (Long.parseLong(range, dash + 1, range.indexOf(' '), 16) - base)];
            memory.seek(base);
            memory.readFully(image);
            int place = image.length - SHIM_SIZE;
            for (int i = place; i < image.length; i++) {
                if (image[i] != 0) {
                    throw new IOException("The vDSO of this kernel has no room for the shim");
                }
            }
            memory.seek(base + place);
            memory.write(code());
            redirect(memory, base, ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN), place);
            return new Vdso(pid, base + place);
        }
    }

    boolean isAlive() {
        return Files.exists(procFile(pid, "maps")) && ProcessHandle.of(pid).isPresent();
    }

    void setOffset(Duration offset) throws IOException {
        ByteBuffer slots = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        slots.putLong(offset.getSeconds()).putLong(offset.getNano()).putLong(offset.getNano() / 1_000);
        try (RandomAccessFile memory = memory(pid)) {
            memory.seek(shim);
            memory.write(slots.array());
        }
    }

    private static void redirect(RandomAccessFile memory, long base, ByteBuffer image, int place) throws IOException {
        int dynamic = dynamicSection(image);
        int symbols = dynamicValue(image, dynamic, DT_SYMTAB);
        int names = dynamicValue(image, dynamic, DT_STRTAB);
        // The table of symbols has no size of its own; the names follow it.
        for (int symbol = symbols; symbol + SYMBOL_SIZE <= names; symbol += SYMBOL_SIZE) {
            Integer entry = ENTRIES.get(text(image, names + image.getInt(symbol)));
            if (entry != null) {
                int function = (int) image.getLong(symbol + 8);
                ByteBuffer jump = ByteBuffer.allocate(JUMP_SIZE).order(ByteOrder.LITTLE_ENDIAN);
                jump.put(JUMP).putInt(place + entry - (function + JUMP_SIZE));
                memory.seek(base + function);
                memory.write(jump.array());
            }
        }
    }

    private static int dynamicSection(ByteBuffer image) throws IOException {
        int header = (int) image.getLong(32);
        for (int i = 0; i < image.getShort(56); i++, header += PROGRAM_HEADER_SIZE) {
            if (image.getInt(header) == PT_DYNAMIC) {
                return (int) image.getLong(header + 8);
            }
        }
        throw new IOException("The vDSO has no dynamic section");
    }

    private static int dynamicValue(ByteBuffer image, int dynamic, long tag) throws IOException {
        for (int at = dynamic; image.getLong(at) != 0; at += 16) {
            if (image.getLong(at) == tag) {
                return (int) image.getLong(at + 8);
            }
        }
        throw new IOException("The vDSO's dynamic section has no entry " + tag);
    }

    private static String text(ByteBuffer image, int from) {
        StringBuilder text = new StringBuilder();
        for (int at = from; image.get(at) != 0; at++) {
            text.append((char) image.get(at));
        }
        return text.toString();
    }

    private static String mapping(long pid) throws IOException {
        return Files.readAllLines(procFile(pid, "maps")).stream()
                .filter(line -> line.endsWith("[vdso]"))
                .findFirst()
                .orElseThrow(() -> new IOException("Process " + pid + " has no vDSO"));
    }

    private static RandomAccessFile memory(long pid) throws IOException {
        return new RandomAccessFile(procFile(pid, "mem").toFile(), "rw");
    }

    private static Path procFile(long pid, String name) {
        return Path.of("/proc", String.valueOf(pid), name);
    }

    private static byte[] code() throws IOException {
        try (InputStream in = Vdso.class.getResourceAsStream("clock_shim.hex")) {
            if (in == null) {
                throw new IOException("No clock_shim.hex on the class path");
            }
            String hex = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
        }
    }

    @Override
    public String toString() {
        return "process " + pid;
    }
}
