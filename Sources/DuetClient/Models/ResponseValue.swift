public import DuetJSON

/// One value of a response, or of a query read from the cache: what a type of a field decodes.
public struct ResponseValue {
    enum Storage {
        case response(JSONTape.Value, types: TypeConditions)
        case cached(FieldValue, selection: Selection?, reader: RecordReader)
    }

    let storage: Storage

    /// Returns true for `null`.
    public var isNull: Bool {
        switch storage {
        case .response(let value, _): value.isNull
        case .cached(let value, _, _): if case .null = value { true } else { false }
        }
    }

    /// The string, if it is one.
    var string: String? {
        switch storage {
        case .response(let value, _): value.string
        case .cached(.string(let string), _, _): string
        default: nil
        }
    }

    /// The value as JSON. It is for scalars; an object of the cache is its key.
    public var json: JSONValue {
        switch storage {
        case .response(let value, _): value.json
        case .cached(let value, _, _): value.json
        }
    }

    /// The elements of a list.
    /// - Throws: ``ModelError``: this is no list, or an element is none of that type.
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

    /// A decoder of the object that this is.
    /// - Throws: ``ModelError``: this is no object, or the cache does not have it any more.
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

    /// The error of a value of another type.
    func mismatch(expected: String, _ value: JSONValue) -> ModelError {
        if isNull {
            return ModelError(
                .unexpectedNull, "The value is null, but the model reads \(expected). Make the property optional.")
        }
        return ModelError(.typeMismatch, "The value is \(value.typeName), but the model reads \(expected).")
    }
}

/// The object types that an interface or a union can be, so that fields for an abstract type are found without a schema.
public struct TypeConditions: Sendable, Hashable {
    /// The names of the object types by the name of the abstract type.
    public var possibleTypes: [String: Set<String>]

    /// No abstract types.
    public init(possibleTypes: [String: Set<String>] = [:]) { self.possibleTypes = possibleTypes }

    /// Returns true if an object of a type has, or implements, the other one.
    func isType(_ typeName: String?, _ condition: String) -> Bool {
        guard let typeName else { return false }
        return typeName == condition || possibleTypes[condition]?.contains(typeName) == true
    }

    /// Returns true if an object of a type has or implements all of the others.
    func fulfils(_ conditions: [String], _ typeName: @autoclosure () -> String?) -> Bool {
        guard !conditions.isEmpty else { return true }
        let typeName = typeName()
        return conditions.allSatisfy { isType(typeName, $0) }
    }
}
