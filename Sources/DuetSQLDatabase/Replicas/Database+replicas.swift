extension Database {
    /// The health of each replica at the last check, in the order of the URLs. Before the first check, no replica is
    /// well.
    public var replicaStatus: [ReplicaStatus] { replicas?.status ?? [] }

    /// Checks the replicas every ``DatabaseConfiguration/replicaCheckInterval`` until the task is canceled. Without
    /// replicas, the function returns at once.
    ///
    /// A replica is well if it can be reached, its variable `read_only` is set, and its lag is at most
    /// ``DatabaseConfiguration/maximumReplicaLag``. No read uses a replica before its first check.
    public func watchReplicas() async {
        guard let replicas else { return }
        while !Task.isCancelled {
            await replicas.check()
            try? await Task.sleep(for: pool.configuration.replicaCheckInterval)
        }
    }
}

extension DatabaseURL {
    /// Checks that servers can be the replicas of this database.
    /// - Parameter replicas: The URLs for ``Database/init(_:replicas:configuration:observer:)``.
    /// - Throws: ``DatabaseError`` with the code `url`, and a message for the operator, if a database is not on a
    ///   MariaDB server, or if two URLs are equal.
    public func checkReplicas(_ replicas: [DatabaseURL]) throws {
        var known = [self]
        for replica in replicas {
            guard dialect == .mariaDB, replica.dialect == .mariaDB else {
                throw DatabaseError(
                    .url,
                    "only a MariaDB database can have replicas, and all of them must be on MariaDB servers, so "
                        + "\(replica) cannot be a replica of \(self)")
            }
            guard !known.contains(replica) else {
                throw DatabaseError(
                    .url, "\(replica) is named twice; the primary and each replica must be different servers")
            }
            known.append(replica)
        }
    }
}
