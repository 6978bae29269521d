package io.holdfast.cli.demo;

/** A line, and the worker that wrote it. */
record Said(WorkerProcess worker, WorkerLine line) {}
