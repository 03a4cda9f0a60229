# Varnish 7 in front of Duet:
#
#   varnishd -a 127.0.0.1:80 -f /etc/varnish/duet.vcl -s malloc,256m -s Transient=malloc,64m \
#       -p http_req_size=64k -p workspace_client=192k \
#       -p http_resp_hdr_len=32k -p http_resp_size=64k -p workspace_backend=192k
#
# Transient has what passes and is not kept, of which there would be no bound. The first line of parameters is for targets of up to 32 KiB, which Duet takes; else it is some 30 KB for all of a
# request. The second is for Surrogate-Key, which names all that an answer is made of; else an answer with a field of more
# than 8 KB is a 503.
#
# How long an answer is kept is said by Duet's Cache-Control, and by nothing here; docs/caching.md says what to set there.
vcl 4.1;

import std;

# While Duet is not ready, clients are told at once, and fresh answers go on being served. One failure is none: the machine
# may only be busy.
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
    # The names used below are not for clients to set.
    unset req.http.X-Coding;
    unset req.http.X-Keys;
    unset req.http.X-Path;
    unset req.http.X-Failure;

    if (req.method == "PURGE") {
        call purge;
    }

    # What the server tells of itself is for those who run it; they ask it without a cache between.
    if (req.url ~ "^/metrics(\?|$)") {
        return (synth(404, "Not Found"));
    }

    # Duet has no sessions. A browser sends the cookies of everything else on the same host, and would never have a hit.
    unset req.http.Cookie;

    # Duet says 405 or 501 where it must. For methods it does not know, Varnish would connect the two, and look no more.
    if (req.method != "GET" && req.method != "HEAD") {
        call vcl_req_host;
        return (pass);
    }
    if (req.url !~ "^/(employees|departments|titles|salaries)(/|\?|$)" && req.url !~ "^/graphql(\?|$)") {
        return (pass);
    }
    # Which Varnish does not evaluate.
    if (req.http.If-Match) {
        return (pass);
    }
    # The export of a whole table. Of an answer that passes, Varnish fetches all it can get, and holds in memory what the
    # client has not taken yet; what is piped goes through a small buffer. Whoever takes JSON gets JSON, which has pages; all
    # others may get an export.
    std.collect(req.http.Accept);
    if (req.method == "GET" && req.http.Accept && req.http.Accept !~ "^\s*\*/\*\s*$"
        && req.http.Accept !~ "(?i)(^|,)\s*application/json\s*(,|$)"
        && req.url ~ "^/(employees|departments|titles|salaries)(/[^/?]+/employees)?(\?|$)"
        && req.url !~ "[?&]first=") {
        return (pipe);
    }

    # A request that refuses the bytes as they are. Duet has gzip for it, or says 406.
    std.collect(req.http.Accept-Encoding);
    if (req.http.Accept-Encoding ~ "(?i)(identity|\*)\s*;\s*q=0(\.0*)?\s*(,|$)") {
        return (pass);
    }
    # Duet compresses, and each coding has an entity tag of its own. Varnish would keep gzip only, unpack it for those who
    # want it plain, and weaken its tag, with which If-Match fails: so each coding is made an object of its own.
    if (req.http.Accept-Encoding ~ "(?i)gzip" && req.http.Accept-Encoding !~ "(?i)gzip\s*;\s*q=0(\.0*)?\s*(,|$)") {
        set req.http.X-Coding = "gzip";
    }
    # Means the same, and Vary would keep the two apart.
    if (!req.http.Accept) {
        set req.http.Accept = "*/*";
    }
    # On to the built-in rules, by which a request with Authorization passes.
}

sub vcl_hash {
    hash_data("coding=" + req.http.X-Coding);
    # On to the built-in rules: the target and Host.
}

sub vcl_backend_fetch {
    # Longer than a request may take: --request-timeout, by default 30 s.
    set bereq.connect_timeout = 2s;
    set bereq.first_byte_timeout = 60s;
    set bereq.between_bytes_timeout = 60s;

    # Where something may be kept, Varnish would ask for gzip, whatever the client wants.
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
    # Varnish would keep what says nothing for 120 s, and 404 and 410 like 200.
    #
    # "Uncacheable" makes this a hit-for-miss: for two minutes, requests for the same do not wait for one another's answer,
    # of which they could use nothing. The first answer that may be kept is kept, and ends this: an unknown hash of a
    # persisted query does not stand in the way of its registration. Not so hit-for-pass, which is "return (pass)" here.
    if (beresp.status != 200 || beresp.http.Cache-Control !~ "(?i)(^|[\s,])(s-maxage|max-age)\s*="
        || beresp.http.Cache-Control ~ "(?i)(^|[\s,])(no-store|no-cache|private)([\s,=]|$)") {
        call vcl_beresp_hitmiss;
    }
    # Varnish takes stale-while-revalidate as the time of grace, but without it there would be 10 s.
    if (beresp.http.Cache-Control !~ "(?i)stale-while-revalidate"
        || beresp.http.Cache-Control ~ "(?i)(must|proxy)-revalidate") {
        set beresp.grace = 0s;
    }
    # How long what has gone stale is there to be asked about with If-None-Match.
    if (beresp.http.ETag) {
        set beresp.keep = 10m;
    }
    # For bans, which see objects only.
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
    # These tell of the request that filled the cache, not of this one.
    if (obj.hits > 0) {
        unset resp.http.Server-Timing;
        unset resp.http.X-Request-ID;
    }
    unset resp.http.X-Path;
    unset resp.http.X-Revalidated;
}

# PURGE with Surrogate-Key, one key or several with spaces between, forgets every answer that has one of them; PURGE of a
# path without it forgets that path's answers, whatever their query.
sub purge {
    # With a proxy in front on this machine, everybody comes from its address; but then X-Forwarded-For has two of them.
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

# What a write has made stale (RFC 9111, section 4.4): the resource in its path with all that is below it, the list that it is
# in, and what has the keys of its answer. An answer that is just being fetched may still be the old one.
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
    # A key ends at a space or with the field, so that Employee:1000 is no part of Employee:10004.
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

# Varnish's own answers, as problems like Duet's (RFC 9457).
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
