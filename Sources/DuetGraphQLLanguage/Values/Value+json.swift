public import DuetJSON

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
