extension Literal {
    /// Creates the literal of a value. A number that is not finite becomes null.
    public init(of value: Value) {
        switch value {
        case .null: self.init(.null)
        case .int(let value): self.init(.int(String(value)))
        case .double(let value):
            let text = Value.text(of: value)
            let isInteger = text.utf8.allSatisfy { $0 == 0x2D || Lexer.isDigit($0) }
            self.init(!value.isFinite ? .null : isInteger ? .int(text) : .float(text))
        case .string(let value): self.init(.string(value, isBlock: false))
        case .bool(let value): self.init(.boolean(value))
        case .enum(let name): self.init(.enum(name))
        case .list(let values): self.init(.list(values.map(Literal.init(of:))))
        case .object(let fields):
            self.init(.object(fields.map { LiteralField(name: Name($0.name), value: Literal(of: $0.value)) }))
        }
    }

    /// Returns the value of the literal without coercion to a type. An enum value becomes its name as a string. A
    /// variable without a value becomes null.
    public func untypedValue(variables: ObjectValue = [:]) -> Value {
        switch kind {
        case .variable(let name): return variables[name.value] ?? .null
        case .int(let digits): return Int64(digits).map(Value.int) ?? .double(Double(digits) ?? .infinity)
        case .float(let digits): return .double(Double(digits) ?? .nan)
        case .string(let value, _): return .string(value)
        case .boolean(let value): return .bool(value)
        case .null: return .null
        case .enum(let name): return .string(name)
        case .list(let items): return .list(items.map { $0.untypedValue(variables: variables) })
        case .object(let fields):
            return .object(ObjectValue(fields.map { ($0.name.value, $0.value.untypedValue(variables: variables)) }))
        }
    }

    /// The maximum nesting depth of lists and objects in a coerced value, and of lists in the type of a variable. It
    /// equals the maximum nesting depth of the JSON of variables. Coercion recurses to this depth. A stack of 512 KiB
    /// is sufficient, even in a debug build.
    public static let deepestNesting = 64

    /// True if lists and objects are nested deeper than ``deepestNesting``.
    var isTooDeep: Bool {
        var open: [(literal: Literal, depth: Int)] = [(self, 1)]
        while let (literal, depth) = open.popLast() {
            switch literal.kind {
            case .list(let items):
                if depth > Self.deepestNesting { return true }
                for item in items where item.isListOrObject { open.append((item, depth + 1)) }
            case .object(let fields):
                if depth > Self.deepestNesting { return true }
                for field in fields where field.value.isListOrObject { open.append((field.value, depth + 1)) }
            default: break
            }
        }
        return false
    }

    private var isListOrObject: Bool {
        switch kind {
        case .list, .object: true
        default: false
        }
    }

    /// The message for a literal that is nested too deeply.
    static let tooDeep = "Value is nested more than \(deepestNesting) levels deep."

    /// The nesting depth of lists and objects, at least 1.
    var nesting: Int {
        var deepest = 1
        var open: [(literal: Literal, depth: Int)] = [(self, 1)]
        while let (literal, depth) = open.popLast() {
            deepest = max(deepest, depth)
            switch literal.kind {
            case .list(let items): open += items.map { ($0, depth + 1) }
            case .object(let fields): open += fields.map { ($0.value, depth + 1) }
            default: break
            }
        }
        return deepest
    }
}
