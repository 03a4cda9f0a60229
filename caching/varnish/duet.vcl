# Varnish 7 as a cache in front of Duet:
#
#   varnishd -a 127.0.0.1:80 -f /etc/varnish/duet.vcl -s malloc,256m -s Transient=malloc,64m \
#       -p http_req_size=64k -p workspace_client=192k \
#       -p http_resp_hdr_len=32k -p http_resp_size=64k -p workspace_backend=192k
#
# Transient stores responses that are not cached. Its size has no limit by default.
#
# The first line of parameters permits request targets of up to 32 KiB, as Duet does. With the defaults, a whole request can
# have about 30 KB. The second line is for Surrogate-Key, which names all entities of a response. With the defaults, a
# response with a field of more than 8 KB is a 503.
#
# The Cache-Control of Duet determines how long a response is cached. docs/caching.md describes the options of Duet.
vcl 4.1;

import std;

# While Duet is not ready, Varnish serves fresh responses, and other requests get a 503 at once. A single failed probe has no
# effect, because the machine may only be busy.
probe ready {
    .url = "/health/ready";
    .interval = 5s;
    .timeout = 5s;
    .window = 5;
    .threshold = 2;
    .initial = 2;
}

include "./origin.vcl";

sub vcl_recv {
    # Clients must not set the fields that this file uses.
    unset req.http.X-Coding;
    unset req.http.X-Keys;
    unset req.http.X-Path;
    unset req.http.X-Failure;

    if (req.method == "PURGE") {
        call purge;
    }

    # The metrics are for the operator, who requests them from the server directly.
    if (req.url ~ "^/metrics(\?|$)") {
        return (synth(404, "Not Found"));
    }

    # Duet has no sessions. A browser sends the cookies of other programs on the same host, which would prevent each hit.
    unset req.http.Cookie;

    # Events and WebSocket connections (docs/live.md) last until the client ends them. With "pipe", Varnish forwards each byte at
    # once, and stores none. The events of a POST request can be the response to a mutation, and Varnish then removes the
    # changed responses. So these events are not piped. Varnish forwards them at once, too.
    std.collect(req.http.Accept);
    if (req.method == "GET" && (req.http.Accept ~ "(?i)text/event-stream"
        || (req.http.Upgrade ~ "(?i)^websocket$" && req.url ~ "^/graphql(\?|$)"))) {
        return (pipe);
    }

    # Duet sends 405 or 501 for other methods. By its built-in rules, Varnish would pipe a connection with an unknown method.
    if (req.method != "GET" && req.method != "HEAD") {
        call vcl_req_host;
        return (pass);
    }
    if (req.url !~ "^/(employees|departments|titles|salaries)(/|\?|$)" && req.url !~ "^/graphql(\?|$)") {
        return (pass);
    }
    # Varnish does not evaluate If-Match.
    if (req.http.If-Match) {
        return (pass);
    }
    # The read of a client that has written (docs/replicas.md). The cached response can be older than the write.
    if (req.http.Duet-Database-Position) {
        return (pass);
    }
    # The export of a whole table. With "pass", Varnish fetches the response as fast as it can, and stores in memory the part
    # that the client has not received. With "pipe", it uses a small buffer. A request that accepts JSON gets JSON, which has
    # pages. Other requests can be exports.
    if (req.method == "GET" && req.http.Accept && req.http.Accept !~ "^\s*\*/\*\s*$"
        && req.http.Accept !~ "(?i)(^|,)\s*application/json\s*(,|$)"
        && req.url ~ "^/(employees|departments|titles|salaries)(/[^/?]+/employees)?(\?|$)"
        && req.url !~ "[?&]first=") {
        return (pipe);
    }

    # A request that refuses the content coding identity. Duet sends gzip or 406.
    std.collect(req.http.Accept-Encoding);
    if (req.http.Accept-Encoding ~ "(?i)(identity|\*)\s*;\s*q=0(\.0*)?\s*(,|$)") {
        return (pass);
    }
    # Duet compresses, and each content coding has its own entity tag. By default Varnish would cache gzip only, decompress it
    # for clients that need identity, and weaken the tag, so that If-Match fails. Therefore each coding is a separate object.
    if (req.http.Accept-Encoding ~ "(?i)gzip" && req.http.Accept-Encoding !~ "(?i)gzip\s*;\s*q=0(\.0*)?\s*(,|$)") {
        set req.http.X-Coding = "gzip";
    }
    # A missing Accept has the same meaning as */*, but Vary would separate the two.
    if (!req.http.Accept) {
        set req.http.Accept = "*/*";
    }
    # The built-in rules follow. They pass a request with Authorization.
}

sub vcl_hash {
    hash_data("coding=" + req.http.X-Coding);
    # A read that waits for a change. Equal requests wait for the response of the first one. If Vary then excluded it, they
    # would have to wait again.
    if (req.url ~ "[?&]wait=") {
        hash_data("accept=" + req.http.Accept);
    }
    # The built-in rules follow. They add the request target and Host.
}

sub vcl_pipe {
    # By default, Varnish does not forward the request for another protocol.
    if (req.http.Upgrade ~ "(?i)^websocket$" && req.url ~ "^/graphql(\?|$)") {
        set bereq.http.Upgrade = req.http.Upgrade;
        set bereq.http.Connection = "upgrade";
    }
}

sub vcl_backend_fetch {
    # Longer than the time limit of a request (--request-timeout, by default 30 s) after the maximum time of a read that waits,
    # 60 s. Events have a heartbeat every 12 s.
    set bereq.connect_timeout = 2s;
    set bereq.first_byte_timeout = 100s;
    set bereq.between_bytes_timeout = 60s;

    # For a response that can be cached, Varnish would request gzip, whatever the client accepts.
    if (!bereq.uncacheable) {
        unset bereq.http.Accept-Encoding;
        if (bereq.http.X-Coding) {
            set bereq.http.Accept-Encoding = bereq.http.X-Coding;
            unset bereq.http.X-Coding;
        }
    }
}

sub vcl_backend_response {
    unset beresp.http.X-Revalidated;
    if (bereq.uncacheable) {
        return (deliver);
    }
    # By default Varnish would cache a response without Cache-Control for 120 s, and 404 and 410 like 200.
    #
    # This call makes the response a hit-for-miss: for two minutes, requests for this object do not wait for each other,
    # because they cannot share a response. The first response that can be cached is cached and ends this state. Therefore the
    # response to an unknown hash does not delay the use of a registered query. A hit-for-pass, "return (pass)", would.
    #
    # A read that waits has the status 204 if no change has occurred. All requests that wait for it can share this response.
    if ((beresp.status != 200 && !(beresp.status == 204 && bereq.url ~ "[?&]wait="))
        || beresp.http.Cache-Control !~ "(?i)(^|[\s,])(s-maxage|max-age)\s*="
        || beresp.http.Cache-Control ~ "(?i)(^|[\s,])(no-store|no-cache|private)([\s,=]|$)") {
        call vcl_beresp_hitmiss;
    }
    # Varnish uses stale-while-revalidate as the grace time. Without it, the grace time would be 10 s.
    if (beresp.http.Cache-Control !~ "(?i)stale-while-revalidate"
        || beresp.http.Cache-Control ~ "(?i)(must|proxy)-revalidate") {
        set beresp.grace = 0s;
    }
    # The time for which a stale response can be revalidated with If-None-Match.
    if (beresp.http.ETag && bereq.url !~ "[?&]wait=") {
        set beresp.keep = 10m;
    }
    # For bans, which read the fields of objects only.
    set beresp.http.X-Path = regsub(bereq.url, "\?.*$", "");
    if (beresp.was_304) {
        set beresp.http.X-Revalidated = "1";
    }
}

sub vcl_deliver {
    if (req.method ~ "^(POST|PUT|PATCH|DELETE)$" && resp.status < 400) {
        call forget_written;
    }

    if (obj.uncacheable) {
        set resp.http.X-Cache = "PASS";
    } else if (obj.hits > 0 && obj.ttl < 0s) {
        set resp.http.X-Cache = "STALE";
    } else if (obj.hits > 0) {
        set resp.http.X-Cache = "HIT";
    } else if (resp.http.X-Revalidated) {
        set resp.http.X-Cache = "REVALIDATED";
    } else {
        set resp.http.X-Cache = "MISS";
    }
    # In a cached response, these fields are about the request that filled the cache.
    if (obj.hits > 0) {
        unset resp.http.Server-Timing;
        unset resp.http.X-Request-ID;
    }
    unset resp.http.X-Path;
    unset resp.http.X-Revalidated;
}

# PURGE with Surrogate-Key, which has one or more keys separated by spaces, removes each response with one of the keys. PURGE
# without it removes the responses of the path, with any query string.
sub purge {
    # If a proxy runs on this machine, all requests have its address. Then X-Forwarded-For has two addresses.
    if (client.ip !~ purgers || req.http.X-Forwarded-For ~ ",") {
        return (synth(403, "Forbidden"));
    }
    if (req.http.Surrogate-Key) {
        set req.http.X-Keys = req.http.Surrogate-Key;
        call forget_keys;
    } else {
        set req.http.X-Path = regsub(req.url, "\?.*$", "");
        call forget_path;
    }
    if (req.http.X-Failure) {
        return (synth(400, "Bad Request"));
    }
    return (synth(200, "OK"));
}

# Removes the responses that a write makes stale (RFC 9111, section 4.4): those of the resource in its path and the resources
# below it, those of the list that it is in, and those with the keys of the write's response. A fetch that is in progress can
# still store the old response.
sub forget_written {
    if (req.url !~ "^/graphql") {
        set req.http.X-Path = regsub(req.url, "^(/[^/?]+).*$", "\1");
        call forget_path;
        set req.http.X-Path = regsub(req.url, "^(/[^/?]+(/[^/?]+)?).*$", "\1");
        if (req.http.X-Path ~ "^/[^/]+/" && !std.ban("obj.http.X-Path ~ ^" + req.http.X-Path + "(/|$)")) {
            std.log("ban of " + req.http.X-Path + ": " + std.ban_error());
        }
    }
    if (resp.http.Surrogate-Key) {
        set req.http.X-Keys = resp.http.Surrogate-Key;
        call forget_keys;
    }
}

sub forget_path {
    if (!std.ban("obj.http.X-Path == " + req.http.X-Path)) {
        set req.http.X-Failure = std.ban_error();
        std.log("ban of " + req.http.X-Path + ": " + req.http.X-Failure);
    }
}

sub forget_keys {
    # A key ends at a space or at the end of the field, so that Employee:1000 does not match Employee:10004.
    if (req.http.X-Keys !~ "^[A-Za-z0-9:._/-]+( +[A-Za-z0-9:._/-]+)*$") {
        set req.http.X-Failure = "no list of keys";
    } else if (!std.ban("obj.http.Surrogate-Key ~ (^|\s)("
        + regsuball(regsuball(req.http.X-Keys, "\.", "\\."), " +", "|") + ")(\s|$)")) {
        set req.http.X-Failure = std.ban_error();
    }
    if (req.http.X-Failure) {
        std.log("ban of " + req.http.X-Keys + ": " + req.http.X-Failure);
    }
}

# The responses of Varnish itself are problems like those of Duet (RFC 9457).
sub vcl_synth {
    set resp.http.Content-Type = "application/problem+json";
    set resp.http.Cache-Control = "no-store";
    set resp.http.X-Content-Type-Options = "nosniff";
    set resp.body = {"{"type":"about:blank","status":"} + resp.status + {","title":""} + resp.reason + {"" }"};
    if (resp.status < 400) {
        unset resp.http.Content-Type;
        set resp.body = "";
    }
    return (deliver);
}

sub vcl_backend_error {
    set beresp.http.Content-Type = "application/problem+json";
    set beresp.http.Cache-Control = "no-store";
    set beresp.http.X-Content-Type-Options = "nosniff";
    set beresp.http.Retry-After = "5";
    set beresp.body = """{"type":"about:blank","title":"Service Unavailable","status":503,"""
        + """"detail":"the server behind this cache does not answer"}""";
    return (deliver);
}
