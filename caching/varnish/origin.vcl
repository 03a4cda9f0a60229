# The settings of an installation: the address of Duet, and the clients that can purge. duet.vcl includes this file.

backend duet {
    .host = "127.0.0.1";
    .port = "8080";
    .probe = ready;
}

# The addresses of clients that can purge.
acl purgers {
    "127.0.0.1";
    "::1";
}
