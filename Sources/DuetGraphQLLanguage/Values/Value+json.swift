public import DuetJSON

extension Value {
    /// Creates a value from JSON, such as the variables of a request.
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
    /// Creates an object from a JSON object, with the same order of members.
    public init(_ json: JSONObject) { self.init(json.members.lazy.map { ($0.key, Value($0.value)) }) }
}

extension JSONValue {
    /// Creates JSON from a value. An enum value becomes a string.
    public init(_ value: DuetGraphQLLanguage.Value) {
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
