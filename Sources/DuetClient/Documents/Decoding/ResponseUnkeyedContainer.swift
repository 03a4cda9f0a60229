import DuetJSON

/// The elements of a list in order.
struct ResponseUnkeyedContainer: UnkeyedDecodingContainer {
    private let elements: [ResponseNode]
    private let decoder: ResponseDecoder
    private(set) var currentIndex = 0

    init(_ elements: [ResponseNode], _ decoder: ResponseDecoder) {
        self.elements = elements
        self.decoder = decoder
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    private func current() throws -> ResponseDecoder {
        guard !isAtEnd else {
            throw decoder.failure(
                ModelError(.missing, "The list has \(elements.count) elements, but the model reads more."))
        }
        return decoder.below(elements[currentIndex], IndexKey(currentIndex))
    }

    /// Decodes the current element, then advances the current index. If decoding fails, the index does not change.
    private mutating func reading<Value>(_ read: (ResponseDecoder) throws -> Value) throws -> Value {
        let value = try read(try current())
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        let isNull = try current().node.isNull
        if isNull { currentIndex += 1 }
        return isNull
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try reading { try $0.decode(type) } }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try reading { try $0.bool() } }
    mutating func decode(_ type: String.Type) throws -> String { try reading { try $0.string() } }
    mutating func decode(_ type: Double.Type) throws -> Double { try reading { try $0.floatingPoint(type) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try reading { try $0.floatingPoint(type) } }
    mutating func decode(_ type: Int.Type) throws -> Int { try reading { try $0.integer(type) } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try reading { try $0.integer(type) } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try reading { try $0.integer(type) } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try reading { try $0.integer(type) } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try reading { try $0.integer(type) } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try reading { try $0.integer(type) } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try reading { try $0.integer(type) } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try reading { try $0.integer(type) } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try reading { try $0.integer(type) } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try reading { try $0.integer(type) } }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try reading { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try reading { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try reading { $0 } }
}
