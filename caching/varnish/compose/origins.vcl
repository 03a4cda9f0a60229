# ../origin.vcl for docker-compose.yml with the profile "replicas": Duet is the services "server" and "server-2". Varnish resolves
# the names once, when it starts. A server that is not ready receives no requests.

import directors;

backend duet {
    .host = "server";
    .port = "8080";
    .probe = ready;
}

backend duet_2 {
    .host = "server-2";
    .port = "8080";
    .probe = ready;
}

sub vcl_init {
    new servers = directors.round_robin();
    servers.add_backend(duet);
    servers.add_backend(duet_2);
}

sub vcl_recv {
    set req.backend_hint = servers.backend();
}

# Only clients inside the container can purge, because requests to the published port may come from the address of the
# network's gateway.
acl purgers {
    "127.0.0.1";
    "::1";
}
