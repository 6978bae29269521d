package io.holdfast.cli.demo;

/** A line, and who said it. */
record Said(WorkerProcess worker, WorkerLine line) {}
