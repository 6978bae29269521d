package io.holdfast.testing.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rule finds what it is for, and lets the two kinds of pairs be. */
class ClassCyclesTest {

    private static List<String> among(Class<?>... classes) {
        return ClassCycles.among(new ClassFileImporter().importClasses(classes));
    }

    @Test
    void among_twoThatKnowEachOther_found() {
        assertThat(among(Hen.class, Egg.class))
                .singleElement()
                .asString()
                .contains("Egg uses [")
                .contains("Hen uses [");
    }

    @Test
    void among_typeAndItsBuilder_allowed() {
        assertThat(among(House.class, HouseBuilder.class)).isEmpty();
    }

    @Test
    void among_interfaceAndItsDefault_allowed() {
        assertThat(among(Bell.class, LoudBell.class)).isEmpty();
    }

    @Test
    void among_interfaceAndAnotherClass_found() {
        assertThat(among(Door.class, Key.class)).hasSize(1);
    }

    @Test
    void among_nestedClass_countsAsItsOuterOne() {
        assertThat(among(Nest.class, Nest.Bird.class, Tree.class)).hasSize(1);
    }
}

class Hen {
    Egg lays() {
        return new Egg();
    }
}

class Egg {
    Hen becomes() {
        return new Hen();
    }
}

class House {
    static HouseBuilder builder() {
        return new HouseBuilder();
    }
}

class HouseBuilder {
    House build() {
        return new House();
    }
}

interface Bell {
    static Bell loud() {
        return new LoudBell();
    }
}

class LoudBell implements Bell {}

interface Door {
    Key key();
}

class Key {
    boolean fits(Door door) {
        return door.key() == this;
    }
}

class Nest {
    static class Bird {
        Tree livesIn() {
            return new Tree();
        }
    }
}

class Tree {
    Nest nest() {
        return new Nest();
    }
}
