extension ScalarType {
    /// The built-in scalars of every schema (specification, section 3.5): Int, Float, String, Boolean and ID.
    public static let specified: NamedList<NamedType> = [
        .scalar(int), .scalar(float), .scalar(string), .scalar(boolean), .scalar(id),
    ]

    /// Integers of 32 bits.
    public static let int = ScalarType(
        "Int",
        coercion: ScalarCoercion(
            serialize: { value in
                switch value {
                case .bool(let value): return .int(value ? 1 : 0)
                case .string(let text): return try int(Double(text), shown: value)
                default: return try int(value.number, shown: value)
                }
            },
            parseValue: { value in try int(value.number, shown: value) },
            parseLiteral: { literal, _ in
                guard case .int(let digits) = literal.kind else {
                    throw GraphQLError("Int cannot represent non-integer value: \(Printer.print(literal))")
                }
                guard let value = Int32(digits) else {
                    throw GraphQLError("Int cannot represent non 32-bit signed integer value: \(digits)")
                }
                return .int(Int64(value))
            }),
        description: "Whole numbers from -2147483648 to 2147483647.")

    private static func int(_ number: Double?, shown value: Value) throws -> Value {
        guard let number, number.isFinite, number.rounded() == number else {
            throw GraphQLError("Int cannot represent non-integer value: \(value)")
        }
        guard let integer = Int32(exactly: number) else {
            throw GraphQLError("Int cannot represent non 32-bit signed integer value: \(value)")
        }
        return .int(Int64(integer))
    }

    /// Numbers of double precision.
    public static let float = ScalarType(
        "Float",
        coercion: ScalarCoercion(
            serialize: { value in
                switch value {
                case .bool(let value): return .double(value ? 1 : 0)
                case .string(let text): return try float(Double(text), shown: value)
                default: return try float(value.number, shown: value)
                }
            },
            parseValue: { value in try float(value.number, shown: value) },
            parseLiteral: { literal, _ in
                switch literal.kind {
                case .int(let digits), .float(let digits):
                    if let value = Double(digits), value.isFinite { return .double(value) }
                default: break
                }
                throw GraphQLError("Float cannot represent non numeric value: \(Printer.print(literal))")
            }),
        description: "Numbers with a fraction, of double precision (IEEE 754).")

    private static func float(_ number: Double?, shown value: Value) throws -> Value {
        guard let number, number.isFinite else {
            throw GraphQLError("Float cannot represent non numeric value: \(value)")
        }
        return .double(number)
    }

    /// Strings.
    public static let string = ScalarType(
        "String",
        coercion: ScalarCoercion(
            serialize: { value in
                switch value {
                case .string: return value
                case .bool(let value): return .string(String(value))
                case .int(let value): return .string(String(value))
                case .double(let number) where number.isFinite: return .string(Value.text(of: number))
                default: throw GraphQLError("String cannot represent value: \(value)")
                }
            },
            parseValue: { value in
                guard case .string = value else {
                    throw GraphQLError("String cannot represent a non string value: \(value)")
                }
                return value
            },
            parseLiteral: { literal, _ in
                guard case .string(let value, _) = literal.kind else {
                    throw GraphQLError("String cannot represent a non string value: \(Printer.print(literal))")
                }
                return .string(value)
            }),
        description: "Text of Unicode characters.")

    /// True and false.
    public static let boolean = ScalarType(
        "Boolean",
        coercion: ScalarCoercion(
            serialize: { value in
                switch value {
                case .bool: return value
                case .int(let number): return .bool(number != 0)
                case .double(let number) where number.isFinite: return .bool(number != 0)
                default: throw GraphQLError("Boolean cannot represent a non boolean value: \(value)")
                }
            },
            parseValue: { value in
                guard case .bool = value else {
                    throw GraphQLError("Boolean cannot represent a non boolean value: \(value)")
                }
                return value
            },
            parseLiteral: { literal, _ in
                guard case .boolean(let value) = literal.kind else {
                    throw GraphQLError("Boolean cannot represent a non boolean value: \(Printer.print(literal))")
                }
                return .bool(value)
            }),
        description: "`true` or `false`.")

    /// Identifiers. Input values are strings or integers; output values are strings.
    public static let id = ScalarType(
        "ID",
        coercion: ScalarCoercion(
            serialize: { try id($0) }, parseValue: { try id($0) },
            parseLiteral: { literal, _ in
                switch literal.kind {
                case .string(let value, _): return .string(value)
                case .int(let digits): return .string(digits)
                default:
                    throw GraphQLError(
                        "ID cannot represent a non-string and non-integer value: \(Printer.print(literal))")
                }
            }),
        description: "Identifiers, accepted as strings or integers and returned as strings; not for display.")

    private static func id(_ value: Value) throws -> Value {
        switch value {
        case .string: return value
        case .int(let number): return .string(String(number))
        case .double(let number):
            if let integer = Int64(exactly: number) { return .string(String(integer)) }
        default: break
        }
        throw GraphQLError("ID cannot represent value: \(value)")
    }
}

extension Value {
    /// The number, or nil if the value is not a number.
    fileprivate var number: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }
}
