import DuetJSON

extension JSONValue {
    /// The text, or nil if the value is not a string.
    var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The number, or nil if the value is not an integer.
    var integer: Int? { if case .integer(let number) = self { Int(number) } else { nil } }

    /// The items, or an empty array if the value is not an array.
    var items: [JSONValue] { if case .array(let items) = self { items } else { [] } }
}
