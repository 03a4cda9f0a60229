extension JSONValue {
    /// Decodes a type from the value.
    ///
    /// A number that an integer type cannot represent exactly is an error. Foundation types for which `JSONDecoder` has
    /// a special format, such as `Date` and `URL`, are decoded with their `init(from:)`.
    /// - Throws: `DecodingError`, or an error of the type's `init(from:)`.
    public func decode<Decoded: Decodable>(_ type: Decoded.Type = Decoded.self) throws -> Decoded {
        try Decoded(from: JSONValueDecoder(self, at: .root, integerStrings: .none))
    }

    /// Decodes a type from the value. At some positions, an integer type can also be decoded from a string, such as
    /// `"7"` for an identifier.
    /// - Parameters:
    ///   - type: The type.
    ///   - integerStrings: The positions at which a string is valid for an integer type.
    /// - Throws: `DecodingError`, or an error of the type's `init(from:)`. If a string at one of these positions is not
    ///   an integer in its shortest form, the error is `dataCorrupted`, and its underlying error is ``NoIntegerError``.
    package func decode<Decoded: Decodable>(
        _ type: Decoded.Type, readingIntegersIn integerStrings: IntegerStrings
    ) throws -> Decoded {
        try Decoded(from: JSONValueDecoder(self, at: .root, integerStrings: integerStrings))
    }
}

/// Decodes `Decodable` types from a ``JSONValue``.
private struct JSONValueDecoder: Decoder {
    let value: JSONValue
    let path: DecodingPath
    let integerStrings: IntegerStrings
    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ value: JSONValue, at path: DecodingPath, integerStrings: IntegerStrings) {
        self.value = value
        self.path = path
        self.integerStrings = integerStrings
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let object) = value else { throw mismatch([String: Any].self, "an object") }
        return KeyedDecodingContainer(KeyedContainer(decoder: self, object: object))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch([Any].self, "an array") }
        return UnkeyedContainer(decoder: self, elements: elements)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func below(_ value: JSONValue, _ key: any CodingKey) -> JSONValueDecoder {
        JSONValueDecoder(value, at: .key(key, below: path), integerStrings: integerStrings[key])
    }

    private func mismatch(_ type: any Any.Type, _ expected: String) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: codingPath, debugDescription: "Expected \(expected), found \(value.typeName).")
        return value == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    // MARK: - Scalars

    private func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        let number: Number?
        switch value {
        case .integer(let integer): number = Number(exactly: integer)
        case .double(let double): number = Number(exactly: double)
        case .string(let text) where integerStrings.isValue:
            guard let integer = Number.inShortestForm(text) else {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(
                        codingPath: codingPath, debugDescription: "The string is not a valid \(type).",
                        underlyingError: NoIntegerError()))
            }
            number = integer
        default: throw mismatch(type, "a number")
        }
        guard let number else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: codingPath, debugDescription: "The value is not a valid \(type)."))
        }
        return number
    }

    private func double() throws -> Double {
        switch value {
        case .integer(let integer): Double(integer)
        case .double(let double): double
        default: throw mismatch(Double.self, "a number")
        }
    }
}

extension JSONValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value == .null }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .bool(let bool) = value else { throw mismatch(type, "a Boolean") }
        return bool
    }

    func decode(_ type: String.Type) throws -> String {
        guard case .string(let text) = value else { throw mismatch(type, "a string") }
        return text
    }

    func decode(_ type: Double.Type) throws -> Double { try double() }
    func decode(_ type: Float.Type) throws -> Float { Float(try double()) }
    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
    func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded { try Decoded(from: self) }
}

// MARK: - Containers

/// The key of the object from which a superclass is decoded.
private struct SuperclassKey: CodingKey {
    var stringValue: String { "super" }
    var intValue: Int? { nil }

    init() {}
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
}

private struct KeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: JSONValueDecoder
    private let members: [JSONObject.Member]
    /// The indices of the members by name; empty for an object with few members, which is searched linearly.
    private let indices: [UTF8Text: Int]
    private static var maximumSearched: Int { 12 }

    init(decoder: JSONValueDecoder, object: JSONObject) {
        self.decoder = decoder
        members = object.members
        indices =
            members.count > Self.maximumSearched
            ? Dictionary(members.enumerated().map { (UTF8Text($1.key), $0) }) { first, _ in first } : [:]
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { members.compactMap { Key(stringValue: $0.key) } }

    func contains(_ key: Key) -> Bool { value(key) != nil }

    private func value(_ key: any CodingKey) -> JSONValue? {
        if members.count > Self.maximumSearched { return indices[UTF8Text(key.stringValue)].map { members[$0].value } }
        return members.first { $0.key.hasSameUTF8(as: key.stringValue) }?.value
    }

    private func below(_ key: any CodingKey) throws -> JSONValueDecoder {
        guard let value = value(key) else {
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(
                    codingPath: codingPath, debugDescription: "The object has no member \"\(key.stringValue)\"."))
        }
        return decoder.below(value, key)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try below(key).decodeNil() }
    func decode<Decoded: Decodable>(_ type: Decoded.Type, forKey key: Key) throws -> Decoded {
        try Decoded(from: below(key))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try below(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try below(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try below(SuperclassKey()) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try below(key) }
}

private struct UnkeyedContainer: UnkeyedDecodingContainer {
    let decoder: JSONValueDecoder
    let elements: [JSONValue]
    private(set) var currentIndex = 0

    init(decoder: JSONValueDecoder, elements: [JSONValue]) {
        self.decoder = decoder
        self.elements = elements
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    private func current(_ type: any Any.Type) throws -> JSONValueDecoder {
        let key = IndexKey(currentIndex)
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                type,
                DecodingError.Context(
                    codingPath: codingPath + [key], debugDescription: "The array has \(elements.count) elements."))
        }
        return decoder.below(elements[currentIndex], key)
    }

    /// Calls a function with the decoder of the current element, and returns the result. Advances to the next element
    /// unless the function throws an error.
    private mutating func next<Value>(
        _ type: any Any.Type, _ read: (JSONValueDecoder) throws -> Value
    ) throws -> Value {
        let value = try read(current(type))
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard try current(Never.self).decodeNil() else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
        try next(type) { try Decoded(from: $0) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try next([String: Any].self) { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next([Any].self) { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next((any Decoder).self) { $0 } }
}

/// The positions in a JSON value at which an integer type can also be decoded from a string.
package indirect enum IntegerStrings: Sendable {
    case none
    /// The value itself.
    case value
    /// The positions in the elements of an array, by the index of the element.
    case elements([IntegerStrings])
    /// The positions in the members of an object, by the name of the member.
    case members([String: IntegerStrings])

    fileprivate var isValue: Bool { if case .value = self { true } else { false } }

    fileprivate subscript(key: any CodingKey) -> IntegerStrings {
        switch self {
        case .elements(let elements):
            key.intValue.flatMap { elements.indices.contains($0) ? elements[$0] : nil } ?? .none
        case .members(let members): members[key.stringValue] ?? .none
        case .none, .value: .none
        }
    }
}

/// The underlying error for a string that is decoded as an integer, but is not the shortest form of one.
package struct NoIntegerError: Error {}

extension FixedWidthInteger {
    /// Returns the integer of a text in its shortest form: `7`, but neither `+7` nor `007`. Returns nil for any other
    /// text.
    package static func inShortestForm(_ text: String) -> Self? {
        guard let number = Self(text), String(number) == text else { return nil }
        return number
    }
}
