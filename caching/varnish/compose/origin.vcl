# ../origin.vcl for docker-compose.yml: Duet is the service "server". Varnish resolves the name once, when it starts.

backend duet {
    .host = "server";
    .port = "8080";
    .probe = ready;
}

# Only clients inside the container can purge, because requests to the published port may come from the address of the
# network's gateway.
acl purgers {
    "127.0.0.1";
    "::1";
}
