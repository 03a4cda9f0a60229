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
