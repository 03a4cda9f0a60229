extension JSONValue {
    /// Parses a text as one value.
    ///
    /// The parser is strict: it accepts only RFC 8259, rejects repeated names in an object, and limits the nesting
    /// depth.
    /// - Parameters:
    ///   - bytes: The text, in UTF-8, with fewer than 2^28 bytes.
    ///   - maximumDepth: The maximum nesting depth of arrays and objects.
    /// - Throws: ``JSONError``.
    public init(parsing bytes: some Sequence<UInt8>, maximumDepth: Int = 64) throws(JSONError) {
        let result =
            bytes.withContiguousStorageIfAvailable { Self.parse(UnsafeRawBufferPointer($0), maximumDepth) }
            ?? Array(bytes).withUnsafeBytes { Self.parse($0, maximumDepth) }
        self = try result.get()
    }

    private static func parse(_ text: UnsafeRawBufferPointer, _ maximumDepth: Int) -> Result<JSONValue, JSONError> {
        var indexer = JSONIndexer(maximumDepth: maximumDepth, byteCount: text.count)
        if let error = indexer.index(text) { return .failure(error) }
        var builder = JSONValueBuilder(text, indexer.entries)
        let value = builder.value()
        guard let repeated = builder.firstRepetition else { return .success(value) }
        let name = JSONTape.string(indexer.entries[repeated], in: text)
        let position = JSONTape.offset(indexer.entries[repeated]) - 1
        return .failure(JSONError("the name \"\(name)\" occurs twice in an object", at: position, in: text))
    }
}

/// Creates a ``JSONValue`` from a text and the entries of its index. The depth of the recursion is limited, because the
/// indexer limits the nesting depth.
struct JSONValueBuilder {
    private let text: UnsafeRawBufferPointer
    private let entries: [JSONTape.Entry]
    /// The index of the entry of the next value or name.
    private var index: Int
    /// The index of the entry of the first name that repeats a name of the same object; nil if there is none. The value
    /// has the first member with the name.
    private(set) var firstRepetition: Int?

    /// - Parameter index: The index of the entry of the value.
    init(_ text: UnsafeRawBufferPointer, _ entries: [JSONTape.Entry], at index: Int = 0) {
        self.text = text
        self.entries = entries
        self.index = index
    }

    /// Returns the next value.
    mutating func value() -> JSONValue {
        let entry = entries[index]
        index += 1
        switch JSONTape.kind(entry) {
        case .null: return .null
        case .false: return .bool(false)
        case .true: return .bool(true)
        case .integer: return .integer(JSONTape.integer(entry, in: text))
        case .number: return .double(JSONTape.double(entry, in: text))
        case .string: return .string(JSONTape.string(entry, in: text))
        case .array:
            let count = JSONTape.length(entry)
            var elements: [JSONValue] = []
            elements.reserveCapacity(count)
            for _ in 0..<count { elements.append(value()) }
            return .array(elements)
        case .object: return .object(object(JSONTape.length(entry)))
        }
    }

    /// Calls a closure with the name and the value of each member of the next value, until it returns false.
    /// - Returns: True if the value is an object, all calls have returned true, and no value repeats a name.
    mutating func forEachMember(_ body: (UnsafeRawBufferPointer, JSONValue) -> Bool) -> Bool {
        let entry = entries[index]
        guard JSONTape.kind(entry) == .object else { return false }
        index += 1
        for _ in 0..<JSONTape.length(entry) {
            let name = entries[index]
            index += 1
            let value = value()
            guard firstRepetition == nil else { return false }
            if JSONTape.hasEscapes(name) {
                var text = JSONTape.string(name, in: text)
                guard text.withUTF8({ body(UnsafeRawBufferPointer($0), value) }) else { return false }
            } else {
                guard body(JSONTape.bytes(of: name, in: text), value) else { return false }
            }
        }
        return true
    }

    private mutating func object(_ count: Int) -> JSONObject {
        var object = JSONObject()
        object.reserveCapacity(count)
        // A hash set replaces the linear search if the object has many members.
        var known: Set<UTF8Text> = []
        for _ in 0..<count {
            let place = index
            let name = JSONTape.string(entries[index], in: text)
            index += 1
            let isNew: Bool
            if count <= 8 {
                isNew = !object.members.contains { $0.key.hasSameUTF8(as: name) }
            } else {
                isNew = known.insert(UTF8Text(name)).inserted
            }
            // The value can contain repeated names, too, which follow this name in the text.
            if !isNew, firstRepetition == nil { firstRepetition = place }
            let member = value()
            if isNew { object.append(name, member) }
        }
        return object
    }
}
