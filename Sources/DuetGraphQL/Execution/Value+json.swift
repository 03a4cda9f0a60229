public import DuetJSON
internal import DuetJSONWriter

extension Value {
    /// Makes a value of JSON, such as a request's variables.
    public init(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .int(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .string(value)
        case .array(let items): self = .list(items.map(Value.init))
        case .object(let object): self = .object(ObjectValue(object))
        }
    }
}

extension ObjectValue {
    /// Makes an object of a JSON object, with the same order of members.
    public init(_ json: JSONObject) { self.init(json.members.lazy.map { ($0.key, Value($0.value)) }) }
}

extension JSONValue {
    /// Makes JSON of a value. The value of an enum becomes a string.
    public init(_ value: DuetGraphQL.Value) {
        switch value {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .int(let number): self = .integer(number)
        case .double(let number): self = .double(number)
        case .string(let text), .enum(let text): self = .string(text)
        case .list(let items): self = .array(items.map(JSONValue.init))
        case .object(let fields):
            var object = JSONObject()
            for field in fields { object[field.name] = JSONValue(field.value) }
            self = .object(object)
        }
    }
}

extension JSONWriter {
    /// Writes a value as JSON. The value of an enum becomes a string.
    mutating func write(_ value: Value) {
        switch value {
        case .null: writeNull()
        case .int(let number): write(number)
        case .double(let number): write(number)
        case .string(let text), .enum(let text): write(text)
        case .bool(let bool): write(bool)
        case .list(let items):
            write(byte: UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { write(byte: UInt8(ascii: ",")) }
                write(item)
            }
            write(byte: UInt8(ascii: "]"))
        case .object(let fields):
            write(byte: UInt8(ascii: "{"))
            for (index, field) in fields.enumerated() {
                if index > 0 { write(byte: UInt8(ascii: ",")) }
                write(key: field.name)
                write(field.value)
            }
            write(byte: UInt8(ascii: "}"))
        }
    }
}
