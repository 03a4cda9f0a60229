public import DuetJSON

/// A value of a response or of a cached query. The types of a model's fields decode this value.
public struct ResponseValue {
    enum Storage {
        case response(JSONTape.Value, types: TypeConditions)
        case cached(FieldValue, selection: ResolvedSelection?, reader: RecordReader)
    }

    let storage: Storage

    /// True if the value is `null`.
    public var isNull: Bool {
        switch storage {
        case .response(let value, _): value.isNull
        case .cached(let value, _, _): if case .null = value { true } else { false }
        }
    }

    /// The string, if the value is a string.
    var string: String? {
        switch storage {
        case .response(let value, _): value.string
        case .cached(.string(let string), _, _): string
        default: nil
        }
    }

    /// The value as JSON, for scalars. A cached object is represented by its key.
    public var json: JSONValue {
        switch storage {
        case .response(let value, _): value.json
        case .cached(let value, _, _): value.json
        }
    }

    /// Decodes the elements of a list.
    /// - Throws: ``ModelError`` if the value is not a list, or an element does not have the type.
    public func elements<Element: FieldDecodable>(_: Element.Type) throws(ModelError) -> [Element] {
        var result: [Element] = []
        switch storage {
        case .response(let value, let types):
            guard value.kind == .array else { throw mismatch(expected: "a list", value.json) }
            result.reserveCapacity(value.count)
            for element in value.elements {
                try append(.response(element, types: types), to: &result)
            }
        case .cached(let value, let selection, let reader):
            guard case .list(let values) = value else { throw mismatch(expected: "a list", value.json) }
            result.reserveCapacity(values.count)
            for value in values {
                try append(.cached(value, selection: selection, reader: reader), to: &result)
            }
        }
        return result
    }

    private func append<Element: FieldDecodable>(
        _ storage: Storage, to result: inout [Element]
    ) throws(ModelError) {
        do throws(ModelError) {
            result.append(try Element.decode(ResponseValue(storage: storage)))
        } catch {
            throw error.below(.index(result.count))
        }
    }

    /// Returns a decoder of the object.
    /// - Throws: ``ModelError`` if the value is not an object, or if the cache does not have the object that a
    ///   reference refers to.
    public func object() throws(ModelError) -> DynamicDecoder {
        switch storage {
        case .response(let value, let types):
            guard value.kind == .object else { throw mismatch(expected: "an object", value.json) }
            return DynamicDecoder(.response(DictionaryDecoder(value, types: types)))
        case .cached(let value, let selection, let reader):
            guard case .reference(let key) = value, let selection else {
                throw mismatch(expected: "an object", value.json)
            }
            guard let record = reader.record(key) else {
                throw ModelError(.missing, "The cache has no object \(key). Fetch the query from the server.")
            }
            return DynamicDecoder(.cached(RecordDecoder(record, selection: selection, reader: reader)))
        }
    }

    /// Returns the error for a value of an unexpected type.
    func mismatch(expected: String, _ value: JSONValue) -> ModelError {
        if isNull {
            return ModelError(
                .unexpectedNull, "The value is null, but the model reads \(expected). Make the property optional.")
        }
        return ModelError(.typeMismatch, "The value is \(value.typeName), but the model reads \(expected).")
    }
}

/// The object types of each interface and union. With these types, a client without a schema can evaluate fragments on
/// interfaces and unions.
public struct TypeConditions: Sendable, Hashable {
    /// The names of the object types. The key is the name of the interface or union.
    public var possibleTypes: [String: Set<String>]

    /// Creates type conditions. By default, there are no interfaces and unions.
    public init(possibleTypes: [String: Set<String>] = [:]) { self.possibleTypes = possibleTypes }

    /// Returns true if an object of the type satisfies the type condition. The condition is the type itself, an
    /// interface that the type implements, or a union that contains the type.
    func isType(_ typeName: String?, _ condition: String) -> Bool {
        guard let typeName else { return false }
        return typeName == condition || possibleTypes[condition]?.contains(typeName) == true
    }

    /// Returns true if an object of the type satisfies all type conditions.
    func fulfils(_ conditions: [String], _ typeName: @autoclosure () -> String?) -> Bool {
        guard !conditions.isEmpty else { return true }
        let typeName = typeName()
        return conditions.allSatisfy { isType(typeName, $0) }
    }
}
