public import DuetSQLDatabase
internal import Synchronization

extension PersistedQueries {
    /// Calls ``flush()`` and ``sweep()`` at the intervals of the configuration until the task is canceled. Then it
    /// calls ``flush()`` a last time.
    ///
    /// Close the database after this function returns.
    public func run() async {
        var pause = configuration.flushInterval
        // The first sweep is delayed, because a starting server has other work.
        var nextSweep = ContinuousClock.now + configuration.sweepInterval
        while !Task.isCancelled {
            let hasSucceeded: Bool
            if ContinuousClock.now >= nextSweep {
                hasSucceeded = await sweepAll()
                nextSweep = .now + configuration.sweepInterval
            } else {
                hasSucceeded = await flushPatiently()
            }
            // The pause doubles after each failure.
            pause = hasSucceeded ? configuration.flushInterval : min(pause * 2, configuration.sweepInterval)
            do {
                try await Task.sleep(for: pause)
            } catch {
                break
            }
        }
        // The last flush runs in a separate task, because the database rejects the work of a canceled task.
        await Task { await flush() }.value
    }

    /// Removes expired documents from memory, calls ``flush()``, and then removes expired documents from the database.
    /// If the database exceeds the bounds of the configuration, further documents are removed from it.
    public func sweep() async {
        _ = await sweepAll()
    }

    /// Writes to the database the uses of documents since the last flush, and the documents that earlier attempts could
    /// not write.
    public func flush() async {
        _ = await flushPatiently()
    }

    /// - Returns: False if the database failed.
    private func sweepAll() async -> Bool {
        let now = now()
        let expired = memory.withLock { $0.removeExpired(now: now) }
        if expired > 0 { observe(.expired(expired, from: .memory)) }
        guard let store = store?.patient else { return true }
        // The uses are written first, so that a used document does not expire.
        let isFlushed = await flush(store)
        do {
            while try await sweepOnce(store).isPartial, !Task.isCancelled {}
            return isFlushed
        } catch {
            report(error, .sweep)
            return false
        }
    }

    /// Removes expired rows and rows that exceed the bounds, up to the limit of one transaction. If documents that were
    /// looked up exceed four fifths of the bounds, the uses are written first, and a second transaction removes the
    /// excess rows.
    /// - Parameter deadline: The time at which the function stops. The next sweep continues the work.
    func sweepOnce(
        _ store: DocumentStore, until deadline: ContinuousClock.Instant? = nil
    ) async throws -> DocumentStore.Sweep {
        let bounds = DocumentStore.Bounds(
            expiry: now() - configuration.millisecondsToLive, rows: configuration.maximumRows,
            bytes: configuration.maximumStoredBytes)
        var sweep = try await store.sweep(bounds, usesAreWritten: false)
        if let isInNeed = sweep.isInNeed { memory.withLock { $0.update(storeIsInNeed: isInNeed) } }
        if sweep.needsUses, await touch(store, until: deadline), let store = store.limited(to: deadline) {
            let expired = sweep.expired
            sweep = try await store.sweep(bounds, usesAreWritten: true)
            sweep.expired += expired
        }
        if let size = sweep.size { stored.withLock { $0 = size } }
        if sweep.expired > 0 { observe(.expired(sweep.expired, from: .store)) }
        if sweep.evicted > 0 { observe(.evicted(sweep.evicted, from: .store)) }
        return sweep
    }

    private func flushPatiently() async -> Bool {
        if let store = store?.patient { await flush(store) } else { true }
    }

    /// - Returns: False if the database failed.
    private func flush(_ store: DocumentStore) async -> Bool {
        guard await touch(store) else { return false }
        var work = memory.withLock { $0.takeUnsaved() }
        do {
            try await save(&work, store)
            return true
        } catch {
            memory.withLock { $0.putBack(work) }
            report(error, .flush)
            return false
        }
    }

    /// Writes uses to the table. If a used document no longer has a row, the document is added to the documents that
    /// are not saved yet.
    /// - Parameter deadline: The time at which the function stops. The next flush continues the work.
    /// - Returns: True if all uses were written.
    func touch(_ store: DocumentStore, until deadline: ContinuousClock.Instant? = nil) async -> Bool {
        var work = memory.withLock { $0.takeTouches() }
        // All processes lock rows in the order of the hashes, which prevents deadlocks.
        let uses = work.touches.sorted { $0.key < $1.key }
        do {
            for start in stride(from: 0, to: uses.count, by: 100) {
                guard let store = store.limited(to: deadline) else { break }
                let batch = uses[start..<min(uses.count, start + 100)].map { (hash: $0.key, usedAt: $0.value) }
                work.unsaved.formUnion(try await store.touch(batch))
                for use in batch { work.touches[use.hash] = nil }
            }
        } catch {
            report(error, .flush)
        }
        memory.withLock { $0.putBack(work) }
        return work.touches.isEmpty
    }

    /// Writes the documents that are not saved yet, and removes each written document from `work`. Each document is
    /// written in a separate transaction, because documents can be long.
    private func save(_ work: inout DocumentMemory.Work, _ store: DocumentStore) async throws {
        // The order is random, so that a document that fails does not always block the same documents.
        for hash in work.unsaved.shuffled() {
            // If a document is no longer in memory, a client that needs it registers it again.
            if let record = memory.withLock({ $0.record(hash) }) {
                do {
                    try await store.save(record)
                } catch let error as DatabaseError where error.code == .constraintViolation {
                    // Another attempt would fail as well.
                    report(error, .flush)
                    work.unsaved.remove(hash)
                    continue
                }
                let now = now()
                memory.withLock { $0.confirm(hash, now: now) }
            }
            work.unsaved.remove(hash)
        }
    }
}

extension PersistedQueries {
    /// Creates the table `duet_persisted_queries` and its index if they do not exist. On MariaDB, this requires the
    /// privileges CREATE and INDEX.
    /// - Throws: `DatabaseError`.
    public static func createTable(in database: Database) async throws {
        guard let script = scripts[database.dialect] else {
            throw DatabaseError(.failed, "there is no script that creates the table in \(database.dialect.title)")
        }
        try await database.write { try $0.executeScript(String(decoding: script, as: UTF8.self)) }
    }

    private static let scripts: [Dialect: [UInt8]] = [
        .sqlite: PackageResources.V0003_persisted_queries_sqlite_sql,
        .mariaDB: PackageResources.V0003_persisted_queries_mariadb_sql,
    ]
}
