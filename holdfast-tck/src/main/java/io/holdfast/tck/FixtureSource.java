package io.holdfast.tck;

/** One contract, or all of them: what makes the fixtures of its tests. */
abstract class FixtureSource {

    protected abstract BackendFixture newFixture() throws Exception;
}
