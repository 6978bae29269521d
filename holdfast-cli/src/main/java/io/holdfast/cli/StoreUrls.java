package io.holdfast.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * What {@code --url} says: one URL, or several with commas between them for a quorum. The commas inside a Sentinel or
 * Cluster URL, and those of a JDBC or ZooKeeper URL, are its own; in {@code redis://a:1,b:2,c:3} each host is a node,
 * reached as the first one is.
 */
final class StoreUrls {
    private static final String NEXT_URL = ",(?=[A-Za-z-]+://)";

    private StoreUrls() {}

    static List<String> split(String text) {
        if (JdbcOptions.isMeant(text) || ZooKeeperUrl.isMeant(text)) {
            return List.of(text.strip());
        }
        String[] urls = text.strip().split(NEXT_URL, -1);
        return urls.length > 1 ? List.of(urls) : hosts(urls[0]);
    }

    private static List<String> hosts(String url) {
        int scheme = url.indexOf("://");
        int hosts = Math.max(scheme + "://".length(), url.lastIndexOf('@') + 1);
        if (scheme < 0 || !url.substring(0, scheme).matches("(?i)rediss?") || url.indexOf(',', hosts) < 0) {
            return List.of(url);
        }
        List<String> nodes = new ArrayList<>();
        for (String host : url.substring(hosts).split(",", -1)) {
            nodes.add(url.substring(0, hosts) + host);
        }
        return nodes;
    }
}
