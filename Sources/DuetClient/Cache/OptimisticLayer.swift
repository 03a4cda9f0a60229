/// Changes that are shown before the server has answered.
struct OptimisticLayer: Sendable {
    /// The identity of one update.
    final class ID: Sendable, Equatable {
        static func == (left: ID, right: ID) -> Bool { left === right }
    }

    let id = ID()
    private let body: @Sendable (WriteTransaction) throws -> Void

    /// - Parameter body: Is run again whenever the records below it change.
    init(_ body: @escaping @Sendable (WriteTransaction) throws -> Void) { self.body = body }

    /// Makes the changes. An update that does not fit the new records any more shows nothing.
    func apply(_ transaction: WriteTransaction) {
        let records = transaction.stage.records
        do { try body(transaction) } catch { transaction.stage.restore(records) }
    }
}
