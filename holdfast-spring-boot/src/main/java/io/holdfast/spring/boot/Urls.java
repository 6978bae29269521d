package io.holdfast.spring.boot;

/** URLs for people. */
final class Urls {
    private Urls() {}

    /** The URL without user and password. */
    static String withoutLogin(String url) {
        int scheme = url.indexOf("://");
        int at = url.lastIndexOf('@');
        return scheme < 0 || at < 0 ? url : url.substring(0, scheme + "://".length()) + url.substring(at + 1);
    }
}
