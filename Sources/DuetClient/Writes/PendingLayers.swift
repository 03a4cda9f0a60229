import Synchronization

/// The optimistic updates of the pending mutations of a client.
final class PendingLayers: Sendable {
    private struct Entry: Hashable {
        let caller: Caller?
        let key: IdempotencyKey
    }

    private let layers = Mutex<[Entry: OptimisticLayer.ID]>([:])

    /// Adds the optimistic update of a mutation. Removes those of former callers, which the store has discarded.
    func add(_ layer: OptimisticLayer.ID, of key: IdempotencyKey, as caller: Caller?) {
        layers.withLock { layers in
            layers = layers.filter { $0.key.caller == caller }
            layers[Entry(caller: caller, key: key)] = layer
        }
    }

    /// Returns the optimistic update of a mutation. The store may have discarded it.
    func layer(of key: IdempotencyKey, as caller: Caller?) -> OptimisticLayer.ID? {
        layers.withLock { $0[Entry(caller: caller, key: key)] }
    }

    /// Removes the optimistic update of a mutation from this list, and returns it.
    func remove(_ key: IdempotencyKey, as caller: Caller?) -> OptimisticLayer.ID? {
        layers.withLock { $0.removeValue(forKey: Entry(caller: caller, key: key)) }
    }
}

/// The documents of the mutations that a client has recorded or resumed, by their texts.
final class PendingDocuments: Sendable {
    private let documents = Mutex<[String: OperationDocument]>([:])

    func add(_ document: OperationDocument) { documents.withLock { $0[document.text] = document } }

    func document(of mutation: PendingWrite.Mutation) -> OperationDocument? {
        documents.withLock { $0[mutation.document] }
    }
}

/// Ends the optimistic updates of discarded mutations, as long as this object exists.
final class PendingRemovals: Sendable {
    private let pending: PendingWrites
    private let number = Mutex<Int?>(nil)

    init(_ pending: PendingWrites) { self.pending = pending }

    /// Begins to observe, unless it has begun before.
    func observe(for client: GraphQLClient) async {
        guard number.withLock({ $0 == nil }) else { return }
        let new = await pending.observeRemovals { [weak client] keys in await client?.endPendingLayers(of: keys) }
        let isSecond = number.withLock { number in
            defer { number = number ?? new }
            return number != nil
        }
        // Two tasks have begun at the same time.
        if isSecond { await pending.removeObserver(new) }
    }

    deinit {
        guard let number = self.number.withLock({ $0 }) else { return }
        Task { [pending] in await pending.removeObserver(number) }
    }
}
