# ../origin.vcl for docker-compose.yml: Duet is the service "server". The name is looked up once, when Varnish starts.

backend duet {
    .host = "server";
    .port = "8080";
    .probe = ready;
}

# Only from inside the container: whoever uses the published port may come from the address of the network's gateway.
acl purgers {
    "127.0.0.1";
    "::1";
}
