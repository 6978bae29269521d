package io.holdfast.testing.redis;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;

/**
 * The time functions of one process, replaced.
 *
 * <p>Linux maps a small library, the vDSO, into every process; whatever C library a program has, static or not, asks it
 * for the time. Its pages can be written through {@code /proc/<pid>/mem} by the process's parent, and belong to that
 * process alone once written. The code of {@code clock_shim.s} goes to the unused end of the mapping, then the first
 * bytes of each function become a jump to it. Nothing stops meanwhile: a caller is either before the jump or past it,
 * as the code itself is complete by then. Processes that it forks have the same.
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
    private final ProcessHandle process;
    private final long shim;
    private final String mapping;

    private Vdso(long pid, long shim, String mapping) throws IOException {
        this.pid = pid;
        this.mapping = mapping;
        this.process = ProcessHandle.of(pid).orElseThrow(() -> new EOFException("The process has ended"));
        this.shim = shim;
    }

    /** Takes over a process, and those that it has forked already. */
    static Vdso takeOver(long pid) throws IOException {
        String range = mapping(pid);
        long shim = install(pid, range);
        if (shim == 0) {
            throw new IOException("The vDSO of this kernel has no room for the shim");
        }
        Vdso vdso = new Vdso(pid, shim, range);
        vdso.forEachChild(child -> install(child, range));
        return vdso;
    }

    /** Returns where the shim is, or zero if there is something else: a child that was forked since has the shim. */
    private static long install(long pid, String range) throws IOException {
        try (FileChannel memory = memory(pid)) {
            int dash = range.indexOf('-');
            long base = Long.parseLong(range, 0, dash, 16);
            ByteBuffer image = read(memory, base, Long.parseLong(range, dash + 1, range.indexOf(' '), 16));
            int place = image.capacity() - SHIM_SIZE;
            for (int i = place; i < image.capacity(); i++) {
                if (image.get(i) != 0) {
                    return 0;
                }
            }
            write(memory, base + place, ByteBuffer.wrap(code()));
            redirect(memory, base, image, place);
            return base + place;
        }
    }

    /** Is it this process still, not a later one with its number, and has it memory to write to? */
    boolean isAlive() {
        try {
            return process.isAlive() && !mapping(pid).isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    void setOffset(Duration offset) throws IOException {
        ByteBuffer slots = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        slots.putLong(offset.getSeconds()).putLong(offset.getNano()).putLong(offset.getNano() / 1_000);
        try (FileChannel memory = memory(pid)) {
            write(memory, shim, slots.flip());
        }
        // Processes forked from now on have it; those forked before have a copy of the shim at the same place.
        forEachChild(child -> {
            try (FileChannel memory = memory(child)) {
                write(memory, shim, slots.rewind());
            }
        });
    }

    private void forEachChild(MemoryChange change) throws IOException {
        for (ProcessHandle child : process.descendants().toList()) {
            if (sharesMapping(child.pid())) {
                try {
                    change.apply(child.pid());
                } catch (IOException e) {
                    if (sharesMapping(child.pid())) {
                        throw e;
                    }
                }
            }
        }
    }

    /**
     * Does the process have our functions? One that runs another program by now does not, nor one that is ending: it
     * counts as alive until its parent has asked for its exit code, but its memory is gone.
     */
    private boolean sharesMapping(long child) {
        try {
            return mapping(child).equals(mapping);
        } catch (IOException e) {
            return false;
        }
    }

    /** What is done to the memory of a process. */
    private interface MemoryChange {
        void apply(long pid) throws IOException;
    }

    private static void redirect(FileChannel memory, long base, ByteBuffer image, int place) throws IOException {
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
                write(memory, base + function, jump.flip());
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

    private static FileChannel memory(long pid) throws IOException {
        return FileChannel.open(procFile(pid, "mem"), StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private static ByteBuffer read(FileChannel memory, long from, long to) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) (to - from)).order(ByteOrder.LITTLE_ENDIAN);
        if (memory.read(bytes, from) < bytes.capacity()) {
            throw new EOFException("The process has ended");
        }
        return bytes;
    }

    /** The memory of a process that has ended takes no bytes, and the system does not call that an error. */
    private static void write(FileChannel memory, long to, ByteBuffer bytes) throws IOException {
        int length = bytes.remaining();
        if (memory.write(bytes, to) < length) {
            throw new EOFException("The process has ended");
        }
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
