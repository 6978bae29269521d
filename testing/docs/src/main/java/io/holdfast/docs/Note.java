package io.holdfast.docs;

/**
 * What a page says about a block to nobody but this module, in a comment before it: {@code <!-- given: … -->}.
 *
 * @param line where it begins
 * @param word what it is about
 * @param text the rest
 */
record Note(int line, String word, String text) {}
