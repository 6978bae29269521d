package io.holdfast.jdbc;

import io.holdfast.jdbc.Products.OnMySql;
import org.junit.jupiter.api.Tag;

/** The same on MySQL. */
@OnMySql
@Tag("full")
class MySqlCleaningTest extends CleaningTest {}
