import DuetBoundedCache

/// The cache of a connection's prepared statements. The key is the text with named parameters. When the cache is full,
/// texts that were used only once are evicted first. A statement is removed from the cache while it is in use.
/// Therefore two statements with the same text can be in use at the same time, and an entry can be evicted during the
/// use of its statement.
final class StatementCache {
    /// A text, its parameters, and a prepared statement for each combination of list shapes.
    final class Entry {
        let parameters: Parameters
        /// See ``ResultSet/memo``.
        var memo: AnyObject?
        #if Tracing
            /// The name and the attributes of the spans of the statement that ended last.
            var spanContent: StatementSpanContent?
        #endif
        /// The columns of the statement that was prepared last.
        private var columns: [Column] = []
        fileprivate var variants: [(shape: [Parameters.ListShape], statement: any PreparedStatement)] = []

        init(_ parameters: Parameters) {
            self.parameters = parameters
        }

        func take(_ shape: [Parameters.ListShape]) -> (any PreparedStatement)? {
            guard let index = variants.firstIndex(where: { $0.shape == shape }) else { return nil }
            return variants.remove(at: index).statement
        }

        /// Records that a statement was prepared. If its columns differ from those of the statement that was prepared
        /// before, the data that was derived from the earlier columns is removed.
        func notePrepared(_ statement: any PreparedStatement) {
            guard statement.columns != columns else { return }
            columns = statement.columns
            memo = nil
        }

        /// Removes the statements, so that the next use of the text prepares a new one.
        func discardStatements() {
            variants = []
            memo = nil
        }

        func giveBack(_ statement: any PreparedStatement, shape: [Parameters.ListShape]) {
            guard !statement.hasOtherColumns else { return discardStatements() }
            // One statement is enough. A second statement was needed only while the first was in use.
            guard !variants.contains(where: { $0.shape == shape }) else { return }
            variants.append((shape, statement))
        }
    }

    private var entries: SegmentedLRU<String, Entry>

    /// - Parameter capacity: The maximum number of texts, at least 1.
    init(capacity: Int) {
        entries = SegmentedLRU(maximumCount: max(1, capacity))
    }

    func entry(for sql: String) throws -> Entry {
        if let entry = entries.use(sql) { return entry }
        let entry = Entry(try Parameters(parsing: sql))
        entries.insert(entry, for: sql)
        return entry
    }

    func removeAll() {
        entries = SegmentedLRU(maximumCount: entries.maximumCount)
    }
}

extension DatabaseError {
    /// Returns the error for a prepared statement whose columns were changed by a change of a table.
    /// - Parameter prepared: The columns when the statement was prepared.
    static func otherColumns(than prepared: [Column], statement: String) -> DatabaseError {
        DatabaseError(
            .failed,
            "a table has changed since the statement was prepared for the columns "
                + prepared.map(\.name).joined(separator: ", ") + "; let the transaction fail, and run it again",
            statement: statement)
    }
}
