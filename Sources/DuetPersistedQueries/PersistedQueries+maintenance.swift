internal import DuetSQLDatabase
internal import Synchronization

extension PersistedQueries {
    /// Flushes and sweeps at the intervals of the configuration until the task is cancelled, and flushes a last time.
    ///
    /// Close the database after this has returned.
    public func run() async {
        var pause = configuration.flushInterval
        // Not at once, because a server that starts has other work.
        var nextSweep = ContinuousClock.now + configuration.sweepInterval
        while !Task.isCancelled {
            let hasSucceeded: Bool
            if ContinuousClock.now >= nextSweep {
                hasSucceeded = await sweepAll()
                nextSweep = .now + configuration.sweepInterval
            } else {
                hasSucceeded = await flushPatiently()
            }
            // After each failure the pause is longer.
            pause = hasSucceeded ? configuration.flushInterval : min(pause * 2, configuration.sweepInterval)
            do {
                try await Task.sleep(for: pause)
            } catch {
                break
            }
        }
        // In a task of its own, which is not cancelled: the database would refuse it otherwise.
        await Task { await flush() }.value
    }

    /// Removes expired documents from memory and from the database, and those beyond the bounds from the database. It
    /// flushes first.
    public func sweep() async {
        _ = await sweepAll()
    }

    /// Writes the uses since the last flush to the database, and the documents that could not be written before.
    public func flush() async {
        _ = await flushPatiently()
    }

    /// - Returns: True if the database has not failed.
    private func sweepAll() async -> Bool {
        let now = now()
        let expired = memory.withLock { $0.removeExpired(now: now) }
        if expired > 0 { observe(.expired(expired, from: .memory)) }
        guard let store = store?.patient else { return true }
        // A used document must not count as expired.
        let isFlushed = await flush(store)
        do {
            while try await sweepOnce(store).isPartial, !Task.isCancelled {}
            return isFlushed
        } catch {
            report(error, .sweep)
            return false
        }
    }

    /// Sweeps in one transaction.
    /// - Parameter deadline: The time at which it stops. The rest is for the next sweep.
    func sweepOnce(
        _ store: DocumentStore, until deadline: ContinuousClock.Instant? = nil
    ) async throws -> DocumentStore.Sweep {
        let bounds = DocumentStore.Bounds(
            expiry: now() - configuration.millisecondsToLive, rows: configuration.maximumRows,
            bytes: configuration.maximumStoredBytes)
        var sweep = try await store.sweep(bounds, usesAreTold: false)
        if let isInNeed = sweep.isInNeed { memory.withLock { $0.heed(storeIsInNeed: isInNeed) } }
        if sweep.needsUses, await touch(store, until: deadline), let store = store.limited(to: deadline) {
            let expired = sweep.expired
            sweep = try await store.sweep(bounds, usesAreTold: true)
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

    /// - Returns: True if the database has not failed.
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

    /// Writes uses to the table. A document that is used here and has no row there any more gets a new one later.
    /// - Parameter deadline: The time at which it stops. The rest is for the next flush.
    /// - Returns: True if all uses are written.
    func touch(_ store: DocumentStore, until deadline: ContinuousClock.Instant? = nil) async -> Bool {
        var work = memory.withLock { $0.takeTouches() }
        // In the order of the hashes, as other processes lock them, too.
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

    /// Writes documents and removes them from the work. Each one has its own transaction, because they can be long.
    private func save(_ work: inout DocumentMemory.Work, _ store: DocumentStore) async throws {
        // In any order, so that a document that fails does not always precede the same others.
        for hash in work.unsaved.shuffled() {
            // A document that is no longer in memory is registered again if a client needs it.
            if let record = memory.withLock({ $0.record(hash) }) {
                do {
                    try await store.save(record)
                } catch let error as DatabaseError where error.code == .constraintViolation {
                    // A repetition would fail, too.
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
