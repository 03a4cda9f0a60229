internal import CDuetSQLite

/// The collations that tables of a database use, but that the program does not have, because another program defines
/// them.
///
/// SQLite refuses every statement that uses an index with such a collation, even if the statement compares no values. A
/// connection that only reads therefore defines a stand-in for each unknown collation when SQLite needs it. Then a
/// statement can count and read rows, and can compare the columns with `COLLATE BINARY`. A statement that compares
/// values by the unknown collation fails, because its result could be wrong.
///
/// A connection that writes has no stand-ins, because a write would damage the order of an index.
final class UnknownCollations {
    /// The name of the unknown collation by which values have been compared; nil if there was no such comparison.
    private(set) var compared: String?

    /// The names of the collations with a stand-in.
    private var defined: Set<String> = []
    private var isSuspended = false

    /// True if a statement needed an unknown collation while no stand-in existed.
    private var hasRefused = false

    /// Runs a closure while no stand-in exists.
    /// - Returns: The result of the closure. If `mustReload` is true, SQLite has excluded the indexes with unknown
    ///   collations from all later statements of the connection, also the key of a table `WITHOUT ROWID`, which then
    ///   has "no query solution". They are available again after the schema is reloaded.
    func suspend<Value>(on handle: OpaquePointer, _ body: () throws -> Value) rethrows -> (Value, mustReload: Bool) {
        (isSuspended, hasRefused) = (true, false)
        defer { isSuspended = false }
        for name in defined { sqlite3_create_collation_v2(handle, name, SQLITE_UTF8, nil, nil, nil) }
        defined = []
        return (try body(), hasRefused)
    }

    /// Resets ``compared`` after the error has been reported.
    func reset() { compared = nil }

    /// Defines a stand-in for each unknown collation that the connection needs. This object must exist as long as the
    /// connection.
    /// - Throws: ``DatabaseError``.
    func add(to handle: OpaquePointer) throws {
        let result = sqlite3_collation_needed(handle, Unmanaged.passUnretained(self).toOpaque(), Self.define)
        guard result == SQLITE_OK else { throw DatabaseError.sqlite(result, handle) }
    }

    /// The context of a stand-in.
    private final class StandIn {
        unowned let collations: UnknownCollations
        let name: String

        init(_ name: String, of collations: UnknownCollations) {
            self.name = name
            self.collations = collations
        }
    }

    private typealias Needed =
        @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, Int32, UnsafePointer<CChar>?) -> Void

    /// SQLite has these collations for UTF-8 only. In a file with texts in UTF-16, it reports them as needed, and then
    /// converts the values for them if this has defined no others (`sqlite3GetCollSeq` in SQLite's callback.c).
    private static let builtIn: Set = ["BINARY", "NOCASE", "RTRIM"]

    private static let define: Needed = { context, handle, _, name in
        guard let context, let handle, let name, !builtIn.contains(String(cString: name).uppercased()) else { return }
        let collations = Unmanaged<UnknownCollations>.fromOpaque(context).takeUnretainedValue()
        guard !collations.isSuspended else {
            collations.hasRefused = true
            return
        }
        let standIn = Unmanaged.passRetained(StandIn(String(cString: name), of: collations))
        let result = sqlite3_create_collation_v2(
            handle, name, SQLITE_UTF8, standIn.toOpaque(), UnknownCollations.compare, UnknownCollations.release)
        // SQLite calls the destructor only if it has stored the collation.
        if result == SQLITE_OK { collations.defined.insert(String(cString: name)) } else { standIn.release() }
    }

    private typealias Compare =
        @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafeRawPointer?, Int32, UnsafeRawPointer?) -> Int32

    private static let compare: Compare = { context, leftCount, left, rightCount, right in
        guard let context else { return 0 }
        let standIn = Unmanaged<StandIn>.fromOpaque(context).takeUnretainedValue()
        standIn.collations.compared = standIn.name
        let (left, right) = (
            UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
            UnsafeRawBufferPointer(start: right, count: Int(rightCount))
        )
        return left.elementsEqual(right) ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    }

    private static let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
        if let context { Unmanaged<StandIn>.fromOpaque(context).release() }
    }
}
