/// Reads the members of many objects, one object after the other. Unlike ``JSONValue/init(parsing:maximumDepth:)``, it
/// creates neither the object nor the names, and it reuses its memory.
package struct JSONMemberReader {
    private var indexer = JSONIndexer(maximumDepth: 64, byteCount: 0)

    /// Creates a reader.
    package init() {}

    /// Parses a text, and calls a closure with the name and the value of each member, until it returns false. The
    /// bytes of the name are in UTF-8, and valid only during the call. The same name can occur several times.
    /// - Returns: True if the text is an object and all calls have returned true. False for any other text, which
    ///   includes invalid JSON, and an object whose members contain an object that repeats a name.
    package mutating func read(
        _ text: UnsafeRawBufferPointer, _ body: (_ name: UnsafeRawBufferPointer, _ value: JSONValue) -> Bool
    ) -> Bool {
        indexer.removeEntries()
        guard indexer.index(text) == nil else { return false }
        var builder = JSONValueBuilder(text, indexer.entries)
        return builder.forEachMember(body)
    }
}
