extension Database {
    /// The health of each server at the last check. Before the first check, no server is well. The list is empty for a
    /// database with one server.
    ///
    /// The order is that of the configuration: the primary and its replicas, or the nodes of the cluster.
    public var serverStatus: [ServerStatus] { servers?.status ?? [] }

    /// Returns true if each replica or node is known to have a position, so that a client need no longer wait for it. A
    /// database with one server always has it.
    public func serversHaveReached(_ position: DatabasePosition) -> Bool { servers?.haveReached(position) ?? true }

    /// Checks the servers once; see ``watchServers()``. The result holds until the next check: if the primary has not
    /// answered, all writes fail.
    public func checkServers() async { await servers?.check(waitsForAll: true) }

    /// Checks the servers every ``DatabaseConfiguration/replicaCheckInterval`` until the task is canceled. While there
    /// is no primary, the checks are ten times as frequent. With one server, the function returns at once.
    ///
    /// A replica is well if it can be reached, its variable `read_only` is set, its lag is at most
    /// ``DatabaseConfiguration/maximumReplicaLag``, and it has no commits that the primary does not have. A node of a
    /// Galera cluster is well if its status `wsrep_ready` is `ON`. No read uses a server before its first check.
    ///
    /// The checks also find the primary. If the primary cannot be reached or its variable `read_only` is set, and a
    /// replica has been promoted (it does not replicate, and its variable `read_only` is no longer set), it is the new
    /// primary. A previous primary that comes back is not used for writes as long as the new one accepts them. Of a
    /// Galera cluster, the first node that is well is the primary. The function promotes no replica itself.
    public func watchServers() async {
        guard let servers else { return }
        while !Task.isCancelled {
            await servers.check(waitsForAll: false)
            try? await Task.sleep(for: servers.checkPause)
        }
    }
}

extension DatabaseURL {
    /// Checks that servers can be the replicas of this database.
    /// - Parameter replicas: The URLs for ``Database/init(_:replicas:configuration:observer:)``.
    /// - Throws: ``DatabaseError`` with the code `url`, and a message for the operator, if a database is not on a
    ///   MariaDB server, if two URLs are equal, or if they name different databases.
    public func checkReplicas(_ replicas: [DatabaseURL]) throws {
        try Self.checkServers(
            [self] + replicas,
            otherBackend: "replicas are possible only if the primary and all replicas are MariaDB servers")
    }

    /// Checks that servers can be the nodes of a Galera cluster.
    /// - Parameter nodes: The URLs for ``Database/init(cluster:configuration:observer:)``.
    /// - Throws: ``DatabaseError`` with the code `url`, and a message for the operator, if a database is not on a
    ///   MariaDB server, if two URLs are equal, or if they name different databases.
    public static func checkCluster(_ nodes: [DatabaseURL]) throws {
        try checkServers(nodes, otherBackend: "only MariaDB servers can be nodes of a cluster")
    }

    private static func checkServers(_ urls: [DatabaseURL], otherBackend: String) throws {
        guard urls.count > 1 else { return }
        var known: [DatabaseURL] = []
        for url in urls {
            guard url.dialect == .mariaDB else { throw DatabaseError(.url, "\(url): \(otherBackend)") }
            if case .mariaDB(let location) = url.location, case .mariaDB(let first) = urls[0].location {
                guard location.database == first.database else {
                    throw DatabaseError(
                        .url, "\(url) must name the same database as \(urls[0]), because its rows are the same")
                }
            }
            guard !known.contains(url) else {
                throw DatabaseError(.url, "\(url) is named twice; each server must be named once")
            }
            known.append(url)
        }
    }
}
