package io.holdfast.spring;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/**
 * Follows {@code this} on the operand stack of one method, to tell calls on it from calls on others.
 *
 * <p>The stack is a list of flags, one for each slot, long and double having two. What an instruction pushes is not
 * {@code this}, except for {@code aload_0} and copies of it. Where branches meet, the stack is that of the first jump
 * there; a compiler leaves the same on all of them. After what cannot be followed, the flags are false: a call is
 * missed then, and none is made up.
 */
final class ThisTracker extends MethodVisitor {
    /** What each instruction without operands that count does to the height, as letters: E is zero. */
    private static final String HEIGHTS = "EFFFFFFFFGGFFFGGFFFEEFGFGFEEEEEEEEEEEEEEEEEEEEDEDEDDDDDCDCDEEEEEEEEEEE"
            + "EEEEEEEEEBABABBBBDCFFFGGGEDCDCDCDCDCDCDCDCDCDCEEEEDDDDDDDCDCDCEFEFDDEEFFDEDEEEBD"
            + "DBBDDDDDDCCCCCCCCEFEDDDCDCDEEEEEEEEEEFEEEEEEDDEEDDEE";

    private final ObjIntConsumer<String> calls;
    private final Map<Label, List<Boolean>> atLabels = new HashMap<>();
    private List<Boolean> stack = new ArrayList<>();
    private boolean unreachable;
    private int line;

    /** {@code calls} gets name and descriptor of each method called on {@code this}, and the line. */
    ThisTracker(ObjIntConsumer<String> calls) {
        super(SpringAsmInfo.ASM_VERSION);
        this.calls = calls;
    }

    private void move(int change, boolean pushes) {
        for (int i = change; i < 0 && !stack.isEmpty(); i++) {
            stack.remove(stack.size() - 1);
        }
        if (change <= 0 && pushes && !stack.isEmpty()) {
            stack.set(stack.size() - 1, false);
        }
        for (int i = 0; i < change; i++) {
            stack.add(false);
        }
    }

    private static int height(int opcode) {
        return opcode < HEIGHTS.length() ? HEIGHTS.charAt(opcode) - 'E' : 0;
    }

    private boolean at(int depth) {
        int index = stack.size() - 1 - depth;
        return index >= 0 && stack.get(index);
    }

    @Override
    public void visitInsn(int opcode) {
        if (opcode == Opcodes.DUP) {
            stack.add(at(0));
        } else {
            boolean keeps = opcode == Opcodes.POP || opcode == Opcodes.POP2 || opcode == Opcodes.NOP;
            move(height(opcode), !keeps);
        }
        if ((opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) || opcode == Opcodes.ATHROW) {
            unreachable = true;
        }
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
        move(opcode == Opcodes.NEWARRAY ? 0 : 1, true);
    }

    @Override
    public void visitVarInsn(int opcode, int variable) {
        if (opcode == Opcodes.ALOAD && variable == 0) {
            stack.add(true);
        } else if (opcode >= Opcodes.ISTORE) {
            move(opcode == Opcodes.LSTORE || opcode == Opcodes.DSTORE ? -2 : -1, false);
        } else {
            move(opcode == Opcodes.LLOAD || opcode == Opcodes.DLOAD ? 2 : 1, true);
        }
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        if (opcode == Opcodes.NEW) {
            stack.add(false);
        } else if (opcode != Opcodes.CHECKCAST) {
            move(0, true);
        }
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        int size = Type.getType(descriptor).getSize();
        switch (opcode) {
            case Opcodes.GETSTATIC -> move(size, true);
            case Opcodes.PUTSTATIC -> move(-size, false);
            case Opcodes.GETFIELD -> move(size - 1, true);
            default -> move(-size - 1, false);
        }
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean inInterface) {
        int arguments = Type.getArgumentsAndReturnSizes(descriptor) >> 2;
        boolean onThis = opcode != Opcodes.INVOKESTATIC && at(arguments - 1);
        if (onThis && opcode != Opcodes.INVOKESPECIAL) {
            calls.accept(name + descriptor, line);
        }
        called(descriptor, opcode == Opcodes.INVOKESTATIC ? arguments - 1 : arguments);
    }

    private void called(String descriptor, int arguments) {
        int result = Type.getReturnType(descriptor).getSize();
        move(-arguments, false);
        move(result, true);
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
        int size = (Type.getArgumentsAndReturnSizes(descriptor) >> 2) - 1;
        for (Object each : arguments) {
            if (each instanceof Handle handle && size > 0 && at(size - 1)) {
                calls.accept(handle.getName() + handle.getDesc(), line);
            }
        }
        called(descriptor, size);
    }

    @Override
    public void visitLdcInsn(Object value) {
        move(value instanceof Long || value instanceof Double ? 2 : 1, true);
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
        move(1 - dimensions, true);
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
        move(height(opcode), false);
        remember(label);
        unreachable = opcode == Opcodes.GOTO;
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
        jump(otherwise, labels);
    }

    @Override
    public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
        jump(otherwise, labels);
    }

    private void jump(Label otherwise, Label[] labels) {
        move(-1, false);
        remember(otherwise);
        for (Label label : labels) {
            remember(label);
        }
        unreachable = true;
    }

    private void remember(Label label) {
        atLabels.putIfAbsent(label, new ArrayList<>(stack));
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
        atLabels.put(handler, new ArrayList<>(List.of(false)));
    }

    @Override
    public void visitLabel(Label label) {
        List<Boolean> known = atLabels.get(label);
        if (known != null) {
            stack = new ArrayList<>(known);
        } else if (unreachable) {
            stack = new ArrayList<>();
        }
        unreachable = false;
    }

    @Override
    public void visitLineNumber(int number, Label start) {
        line = number;
    }
}
