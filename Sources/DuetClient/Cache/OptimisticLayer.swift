/// An optimistic update: changes that are visible until the server responds.
struct OptimisticLayer: Sendable {
    /// The identity of an optimistic update.
    final class ID: Sendable, Equatable {
        static func == (left: ID, right: ID) -> Bool { left === right }
    }

    let id = ID()
    private let body: @Sendable (WriteTransaction) throws -> Void

    /// - Parameter body: Makes the changes. It is called again whenever the underlying records change.
    init(_ body: @escaping @Sendable (WriteTransaction) throws -> Void) { self.body = body }

    /// Applies the changes. If the closure throws for the current records, its partial changes are undone.
    func apply(_ transaction: WriteTransaction) {
        let records = transaction.stage.records
        do { try body(transaction) } catch { transaction.stage.restore(records) }
    }
}
