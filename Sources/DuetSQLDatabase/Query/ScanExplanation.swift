/// The way in which the database reads the rows of a statement, as its `EXPLAIN` reports it.
package struct ScanExplanation: Sendable, Hashable {
    /// True if the database sorts rows, because no index has their order.
    package var sorts = false
    /// True if the database reads a whole table or a whole index.
    package var scansTables = false

    package init(sorts: Bool = false, scansTables: Bool = false) {
        self.sorts = sorts
        self.scansTables = scansTables
    }
}
