extension PendingWrites {
    /// Sends the pending writes of an owner again, in the order of their calls, until one of them has no answer.
    /// - Parameters:
    ///   - prepare: Called with the writes before the first request.
    ///   - resend: Sends a write once.
    ///   - deliver: Receives each outcome before the write is removed from the store. So if the process ends in
    ///     between, the outcome is delivered again.
    /// - Throws: The error of the write that has no answer.
    nonisolated func resume<Answer: Sendable, Failure: PendingWriteError>(
        _ lane: PendingLane, prepare: ([PendingWrite]) async -> Void = { _ in },
        resend: (PendingWrite) async throws(Failure) -> Answer,
        deliver: (SettledWrite<Answer, Failure>) async -> Void
    ) async throws(Failure) {
        // A second call would have nothing to send.
        guard !isDelivering(lane), await beginResuming(lane) else { return }
        let result: Result<Void, Failure>
        let place = lanes.reserve(lane)
        if await lanes.enter(place) {
            do throws(Failure) {
                result = .success(try await resumeAll(lane, prepare, resend, deliver))
            } catch {
                result = .failure(error)
            }
            lanes.leave(place)
        } else {
            result = .failure(Failure(.cancelled))
        }
        await endResuming(lane)
        try result.get()
    }

    private nonisolated func resumeAll<Answer: Sendable, Failure: PendingWriteError>(
        _ lane: PendingLane, _ prepare: ([PendingWrite]) async -> Void,
        _ resend: (PendingWrite) async throws(Failure) -> Answer,
        _ deliver: (SettledWrite<Answer, Failure>) async -> Void
    ) async throws(Failure) {
        var seen: Set<IdempotencyKey> = []
        while true {
            let writes: [PendingWrite]
            do throws(CacheError) {
                writes = try await self.writes(in: lane).filter { !seen.contains($0.key) }
            } catch {
                throw Failure(.store(error))
            }
            if seen.isEmpty { await prepare(writes) }
            // The handler may have made further writes.
            guard !writes.isEmpty else { return }
            for write in writes {
                seen.insert(write.key)
                switch await status(of: write) {
                case .discarded: continue
                // The call of this write has the next turn, and sends it and then returns its answer.
                case .waiting: return
                case .resumable: try await resume(write, in: lane, resend, deliver)
                }
            }
        }
    }

    private nonisolated func resume<Answer: Sendable, Failure: PendingWriteError>(
        _ write: PendingWrite, in lane: PendingLane, _ resend: (PendingWrite) async throws(Failure) -> Answer,
        _ deliver: (SettledWrite<Answer, Failure>) async -> Void
    ) async throws(Failure) {
        let settled: SettledWrite<Answer, Failure>
        do throws(Failure) {
            settled = SettledWrite(write, try await outcome(of: write, resend))
        } catch {
            throw error.pending(write.key)
        }
        let delivery = Delivery(self, lane)
        await Self.$deliveries.withValue(Self.deliveries + [delivery]) { await deliver(settled) }
        delivery.end()
        await end(write)
    }

    private enum Status {
        case resumable, waiting, discarded
    }

    private func status(of write: PendingWrite) -> Status {
        if waiting.contains(Entry(owner: write.owner, key: write.key)) { return .waiting }
        do throws(CacheError) {
            return try store.write(write.key, of: write.owner) == nil ? .discarded : .resumable
        } catch {
            // The request shows if the store works again.
            return .resumable
        }
    }

    private func writes(in lane: PendingLane) throws(CacheError) -> [PendingWrite] {
        try store.writes(of: lane.owner).filter { $0.style == lane.style }
    }

    private func beginResuming(_ lane: PendingLane) -> Bool { resuming.insert(lane).inserted }

    private func endResuming(_ lane: PendingLane) { resuming.remove(lane) }
}
