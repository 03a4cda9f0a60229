import DuetJSON

/// A value of a response or of the cache that ``ResponseDecoder`` decodes.
struct ResponseNode {
    enum Storage {
        case response(JSONTape.Value)
        /// - Parameter selections: The selections of the object, if the value is an object or a list of objects; `nil`
        ///   to read fields by their names in the schema.
        case cached(FieldValue, selections: [ResolvedSelection]?, reader: RecordReader)
        /// A value inside a custom scalar whose value is a JSON object.
        case json(JSONValue)
    }

    let storage: Storage
    /// The response names that the document selects on the object; `nil` if all members can be read, as in a custom
    /// scalar.
    let names: SelectedNames?

    /// True if the value is `null`.
    var isNull: Bool {
        switch storage {
        case .response(let value): value.isNull
        case .cached(.null, _, _), .json(.null): true
        case .cached, .json: false
        }
    }

    /// The value as JSON. A cached object is represented by its key.
    var json: JSONValue {
        switch storage {
        case .response(let value): value.json
        case .cached(let value, _, _): value.json
        case .json(let json): json
        }
    }

    /// The string. A whole number is converted to a string, because an `ID` can be a number (specification, section
    /// 3.5.5).
    var string: String? {
        switch storage {
        case .response(let value): value.string ?? value.integer.map(String.init)
        case .cached(.string(let string), _, _), .json(.string(let string)): string
        case .cached(.integer(let integer), _, _), .json(.integer(let integer)): String(integer)
        case .cached, .json: nil
        }
    }

    var bool: Bool? {
        switch storage {
        case .response(let value): value.bool
        case .cached(.bool(let bool), _, _), .json(.bool(let bool)): bool
        case .cached, .json: nil
        }
    }

    /// The number, if it is whole.
    var integer: Int64? {
        switch storage {
        case .response(let value): value.integer ?? value.double.flatMap(Int64.init(exactly:))
        case .cached(.integer(let integer), _, _), .json(.integer(let integer)): integer
        case .cached(.double(let double), _, _), .json(.double(let double)): Int64(exactly: double)
        case .cached, .json: nil
        }
    }

    /// The number.
    var double: Double? {
        switch storage {
        case .response(let value): value.double
        case .cached(.integer(let integer), _, _), .json(.integer(let integer)): Double(integer)
        case .cached(.double(let double), _, _), .json(.double(let double)): double
        case .cached, .json: nil
        }
    }

    /// The elements of a list; `nil` for any other value.
    var elements: [ResponseNode]? {
        switch storage {
        case .response(let value):
            guard value.kind == .array else { return nil }
            return value.elements.map { ResponseNode(storage: .response($0), names: names) }
        case .cached(.list(let values), let selections, let reader):
            return values.map {
                ResponseNode(storage: .cached($0, selections: selections, reader: reader), names: names)
            }
        case .json(.array(let values)): return values.map { ResponseNode(storage: .json($0), names: nil) }
        case .cached, .json: return nil
        }
    }

    /// Returns the members of an object; `nil` for any other value.
    /// - Throws: ``ModelError`` if the cache does not have the object that a reference refers to.
    func object() throws(ModelError) -> ResponseObject? {
        switch storage {
        case .response(let value):
            return value.kind == .object ? ResponseObject(.response(value), names: names) : nil
        case .cached(.reference(let key), let selections, let reader):
            guard let record = reader.record(key) else {
                throw ModelError(.missing, "The cache has no object \(key). Fetch the query from the server.")
            }
            return ResponseObject(.cached(record, selections: selections, reader: reader), names: names)
        case .cached(.json(.object(let object)), _, _), .json(.object(let object)):
            return ResponseObject(.json(object), names: nil)
        case .cached, .json: return nil
        }
    }
}
