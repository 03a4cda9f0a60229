# What differs from one installation to the next: where Duet is, and who may purge. duet.vcl reads this file.

backend duet {
    .host = "127.0.0.1";
    .port = "8080";
    .probe = ready;
}

# Whoever connects from these addresses.
acl purgers {
    "127.0.0.1";
    "::1";
}
