# What the two run scripts share: each reads it at the root of the repository, and nobody runs it.

# build MODULE: compiles it and what it needs. What Maven says is no output of an example, and is shown only if it fails; without escape
# codes, of which even a quiet Maven writes one at its end.
build() {
    [ ! -t 2 ] || echo "building what the run needs" >&2
    if ! said=$(mvn -q -B -ntp -Dstyle.color=never -pl "$1" -am package -Dmaven.test.skip=true -Dholdfast.jdk25=skip 2>&1); then
        escape=$(printf '\033')
        printf '%s\n' "$said" | sed "s/$escape\\[[0-9;?]*[A-Za-z]//g; /^$/d" >&2
        echo "$1 could not be built" >&2
        exit 70
    fi
}
