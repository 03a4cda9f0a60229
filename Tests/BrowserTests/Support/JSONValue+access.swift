import DuetJSON

extension JSONValue {
    /// The text, if this is one.
    var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The number, if this is one without fraction.
    var integer: Int? { if case .integer(let number) = self { Int(number) } else { nil } }

    /// The items; none if this is no array.
    var items: [JSONValue] { if case .array(let items) = self { items } else { [] } }
}
