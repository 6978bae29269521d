# What the tools of this folder share: each reads it, and nobody runs it. It sets $root, the folder of the checkout. The tools stay in
# the folder in which they were called, so that the files named on the command line are where the caller expects them.
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)

# build MODULE ARGUMENT…: compiles the module and what it needs, and says so unless the arguments only ask for a text. Neither tests nor
# archives are needed to run, and a warning of the compiler does not keep a tool from running.
build() {
    module=$1
    shift
    case " $* " in
        *" --help "* | *" -h "* | *" --list "*) ;;
        *) echo "building what the run needs" >&2 ;;
    esac
    compile() {
        mvn -q -B -ntp "$@" -f "$root/pom.xml" -pl "$module" -am process-classes
    }
    compile -o >/dev/null 2>&1 || compile -Dholdfast.errorprone=-XepDisableAllWarnings
}

# classes MODULE…: the class path of their classes, and of the libraries of the last one
classes() {
    path=
    for each in "$@"; do
        path=$path$root/$each/target/classes:
    done
    echo "$path$root/$each/target/lib/*"
}

# published: the folders of the modules that are published, with commas between them
published() {
    (cd "$root" && grep -L '<maven.deploy.skip>true' holdfast-*/pom.xml | grep -v '^holdfast-bom/' | sed 's:/pom.xml$::' | paste -sd, -)
}

# version: that of the project
version() {
    sed -n 's:^  <version>\(.*\)</version>:\1:p' "$root/pom.xml"
}

# What makes the three jars of a module, without its tests and what these need; with -Ppublish.
archives="resources:resources compiler:compile javadoc:javadoc-no-fork jar:jar@default-jar jar:jar@sources jar:jar@javadoc"
