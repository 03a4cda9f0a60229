internal import DuetJSON

extension JSONWriter {
    /// Writes a value as JSON. An enum value becomes a string.
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
