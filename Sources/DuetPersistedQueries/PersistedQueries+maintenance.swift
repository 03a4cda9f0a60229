internal import DuetSQLDatabase
internal import Synchronization

extension PersistedQueries {
    /// Tells the store what was used, and removes what has expired or is too much, again and again until the task is cancelled;
    /// then tells it the last. The database must not be closed before this has returned.
    public func run() async {
        var pause = configuration.flushInterval
        // Not at once: a server that starts has better things to do.
        var nextSweep = ContinuousClock.now + configuration.sweepInterval
        while !Task.isCancelled {
            let hasSucceeded: Bool
            if ContinuousClock.now >= nextSweep {
                hasSucceeded = await sweepAll()
                nextSweep = .now + configuration.sweepInterval
            } else {
                hasSucceeded = await flushPatiently()
            }
            // A store that does not answer is asked less and less.
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

    /// Removes what has expired, from memory and from the store, and what the store has too much; ``flush()`` first.
    public func sweep() async {
        _ = await sweepAll()
    }

    /// Tells the store what was used since the last time, and gives it what it could not take before.
    public func flush() async {
        _ = await flushPatiently()
    }

    /// - Returns: whether the store has done all it should.
    private func sweepAll() async -> Bool {
        let now = now()
        let expired = memory.withLock { $0.removeExpired(now: now) }
        if expired > 0 { observe(.expired(expired, from: .memory)) }
        guard let store = store?.patient else { return true }
        // What was used must not be taken for expired.
        let isFlushed = await flush(store)
        do {
            while try await sweepOnce(store).isPartial, !Task.isCancelled {}
            return isFlushed
        } catch {
            report(error, .sweep)
            return false
        }
    }

    /// One transaction's worth.
    /// - Parameter deadline: after which what is left is put off.
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

    /// - Returns: whether the store has done all it should.
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

    /// Tells the store what was used. A document that has lost its row there, but is in use here, is to get a new one.
    /// - Parameter deadline: after which what is left is put off.
    /// - Returns: whether the store knows of all.
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

    /// Takes from the work what is done. Each document is a transaction of its own, for they may be long.
    private func save(_ work: inout DocumentMemory.Work, _ store: DocumentStore) async throws {
        // In any order: one that the store cannot take for some reason is not always in the way of the others.
        for hash in work.unsaved.shuffled() {
            // What is no longer in memory will be registered again, if anybody needs it.
            if let record = memory.withLock({ $0.record(hash) }) {
                do {
                    try await store.save(record)
                } catch let error as DatabaseError where error.code == .constraintViolation {
                    // It will never fit.
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
