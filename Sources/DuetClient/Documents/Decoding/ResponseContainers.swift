import DuetJSON

/// The members of an object. A `Decodable` type reads them by its coding keys.
struct ResponseKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let object: ResponseObject
    private let decoder: ResponseDecoder

    init(_ object: ResponseObject, _ decoder: ResponseDecoder) {
        self.object = object
        self.decoder = decoder
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { object.names.compactMap { Key(stringValue: $0) } }

    /// Returns true if the object has the member, or if the document does not select the name. In the second case, the
    /// decoder then tries to read the member and throws an error. If the result were false, an optional property would
    /// be `nil` without an error.
    func contains(_ key: Key) -> Bool {
        !object.isSelected(key.stringValue) || object.member(key.stringValue) != nil
    }

    private func value(_ key: Key) throws -> ResponseDecoder {
        let name = key.stringValue
        guard let node = object.member(name) else {
            let error =
                object.isSelected(name)
                ? object.missing(name)
                : ModelError(
                    .unmapped,
                    "The document does not select this field, but the model reads it. Add the field to the document, or remove the property."
                )
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(
                    codingPath: codingPath + [key], debugDescription: error.message, underlyingError: error))
        }
        return decoder.below(node, key)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try value(key).node.isNull }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try value(key).decode(type) }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(key).bool() }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(key).string() }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(key).floatingPoint(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(key).floatingPoint(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(key).integer(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(key).integer(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(key).integer(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(key).integer(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(key).integer(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(key).integer(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(key).integer(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try value(key).integer(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try value(key).integer(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try value(key).integer(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try value(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try value(key).unkeyedContainer()
    }

    /// Returns this decoder, because a superclass decodes from the same object.
    func superDecoder() -> any Decoder { decoder }
    func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }
}

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

/// A container of a single value.
struct ResponseValueContainer: SingleValueDecodingContainer {
    let decoder: ResponseDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.node.isNull }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }

    func decode(_ type: Bool.Type) throws -> Bool { try decoder.bool() }
    func decode(_ type: String.Type) throws -> String { try decoder.string() }
    func decode(_ type: Double.Type) throws -> Double { try decoder.floatingPoint(type) }
    func decode(_ type: Float.Type) throws -> Float { try decoder.floatingPoint(type) }
    func decode(_ type: Int.Type) throws -> Int { try decoder.integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try decoder.integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try decoder.integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try decoder.integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try decoder.integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try decoder.integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.integer(type) }
}
