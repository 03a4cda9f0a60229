/// A part of the response that is executed after the initial result: deferred fields of an object, or the remaining
/// items of a list with `@stream`.
struct IncrementalDataRecord: Sendable {
    enum Content: Sendable {
        /// The fields of one object that are deferred by the same `@defer` directives.
        case executionGroup(DeferredFieldSet, source: any Sendable)
        /// The items of a list with `@stream`, beginning at an index.
        case streamedItems(RemainingItems, index: Int, field: PlannedField, item: PlannedOutput)
    }

    let content: Content
    /// The response position of the object or the list; nil for the root.
    let path: ResponsePath?
    /// The index of the innermost enclosing nullable position, in the response part that contains the record; -1 if
    /// none exists.
    let nullablePosition: Int
    /// The index of the enclosing value, in the response part that contains the record.
    let value: Int
}

/// The remaining items of a list. Only one task at a time reads them.
final class RemainingItems: @unchecked Sendable {
    private let nextItem: () throws -> ResolvedValue?
    /// The next item, if it was already read.
    private var first: ResolvedValue?

    init(first: ResolvedValue, _ next: @escaping () throws -> ResolvedValue?) {
        self.first = first
        nextItem = next
    }

    func next() throws -> ResolvedValue? {
        if let item = first {
            first = nil
            return item
        }
        return try nextItem()
    }
}
