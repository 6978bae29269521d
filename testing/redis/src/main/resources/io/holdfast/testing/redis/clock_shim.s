# What ClockShim puts in the place of a process's vDSO functions (x86-64 Linux): each asks the kernel and adds the
# offset to what it says of the wall clock. CLOCK_MONOTONIC and the like are passed through.
#
# clock_shim.hex has the bytes of this, so that no assembler is needed to use it:
#   gcc -c clock_shim.s -o shim.o && objcopy -O binary -j .text shim.o shim.bin && xxd -p -c 32 shim.bin > clock_shim.hex
#
# Offsets within it are known to ClockShim: the slots at 0, the entries at 0x20, 0x80 and 0xc0.
.intel_syntax noprefix

seconds:        .quad 0                 # whole seconds, rounded down
nanos:          .quad 0                 # the rest, in [0, 1000000000)
micros:         .quad 0                 # the same rest, in [0, 1000000)

.org 0x20
clock_gettime:                          # edi clock, rsi struct timespec
        mov     eax, 228
        syscall
        test    eax, eax
        jnz     2f
        test    edi, edi                # CLOCK_REALTIME
        jz      0f
        cmp     edi, 5                  # CLOCK_REALTIME_COARSE
        jne     2f
0:      mov     rdx, [rip + seconds]
        add     [rsi], rdx
        mov     rdx, [rip + nanos]
        add     rdx, [rsi + 8]
        cmp     rdx, 1000000000
        jl      1f
        sub     rdx, 1000000000
        inc     qword ptr [rsi]
1:      mov     [rsi + 8], rdx
2:      ret

.org 0x80
gettimeofday:                           # rdi struct timeval, rsi struct timezone
        mov     eax, 96
        syscall
        test    eax, eax
        jnz     2f
        test    rdi, rdi
        jz      2f
        mov     rdx, [rip + seconds]
        add     [rdi], rdx
        mov     rdx, [rip + micros]
        add     rdx, [rdi + 8]
        cmp     rdx, 1000000
        jl      1f
        sub     rdx, 1000000
        inc     qword ptr [rdi]
1:      mov     [rdi + 8], rdx
2:      ret

.org 0xc0
time:                                   # rdi time_t
        mov     eax, 201
        syscall
        add     rax, [rip + seconds]
        test    rdi, rdi
        jz      2f
        mov     [rdi], rax
2:      ret
.org 0xe0
