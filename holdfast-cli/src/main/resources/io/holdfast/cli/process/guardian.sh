# Ends a command and its descendants when the process that started this one is gone.
#
# Argument: how many tenths of a second the command has between TERM and KILL.
# Input, a line each: "watch PID" (guard this one), "send PID SIGNAL", "all SIGNAL" (to whom it guards), "done" (guard nothing, end).
# The end of the input without "done" means that nobody else is left to end the command.

trap '' INT TERM HUP QUIT TSTP TTIN TTOU USR1 USR2 PIPE ALRM

# " PID:START PID:START ": whom to end. A number alone would mean somebody else once it is used again.
known=

# state, parent and start of a process. What stands before the last parenthesis is its name.
look() {
    read -r line <"/proc/$1/stat" || return 1
    set -- ${line##*) }
    state=$1 parent=$2 start=${20}
}

# Adds the descendants of those who are known.
grow() {
    new=yes
    while [ "$new" ]; do
        new=
        for folder in /proc/[0-9]*; do
            pid=${folder#/proc/}
            case $known in *" $pid:"*) continue ;; esac
            look "$pid" || continue
            case $known in *" $parent:"*) known="$known$pid:$start " new=yes ;; esac
        done
    done
}

# Those of the known who still are who they were.
remain() {
    left=
    for each in $known; do
        look "${each%:*}" && [ "$start" = "${each#*:}" ] && [ "$state" != Z ] && left="$left ${each%:*}"
    done
    [ "$left" ]
}

# Sends a signal to all. Again, because whoever was not reached yet may have started somebody.
all() {
    for again in 1 2 3; do
        grow
        remain && kill -s "$1" $left
    done
}

while read -r what pid signal; do
    case $what in
        watch) look "$pid" && known=" $pid:$start " ;;
        send) kill -s "$signal" "$pid" ;;
        all) all "$pid" ;;
        done) exit ;;
    esac
done

[ "$known" ] || exit
grow
# CONT, because who is stopped does not hear TERM.
remain && kill -s TERM $left && kill -s CONT $left
ticks=$1
while remain && [ "$ticks" -gt 0 ]; do
    sleep 0.1
    ticks=$((ticks - 1))
    grow
done
all KILL
