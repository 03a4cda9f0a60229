import DuetGraphQL

/// Writes the Swift types of input objects and enumerations.
extension CodeWriter {
    /// Writes an input object as a structure. A OneOf input object (`@oneOf`, specification, section 3.10.1) is written
    /// as an enumeration, because exactly one of its fields must have a value.
    mutating func write(_ object: InputObjectType, _ types: SwiftTypes) {
        documentation(object.description, else: "The input object `\(object.name)`.")
        let name = SwiftName.type(object.name)
        let input = InputFields(object, types)
        guard object.isOneOf else {
            declarationBlock("struct \(name): InputValue, Hashable") { writer in
                writer.write(input, nullsOf: "field", member: "var inputValue: JSONValue", result: ".object(object)")
            }
            return
        }
        declarationBlock("indirect enum \(name): InputValue, Hashable") { writer in
            for field in input.fields {
                writer.documentation(
                    field.description, else: "The field `\(field.name)`.", deprecated: field.deprecationReason)
                writer.line("case \(SwiftName.escaped(field.property))(\(field.swiftType.dropLast()))")
            }
            writer.line()
            writer.documentation(nil, else: "The value in a request.")
            writer.declarationBlock("var inputValue: JSONValue") { writer in
                writer.line("switch self {")
                for field in input.fields {
                    writer.line(
                        "case .\(SwiftName.escaped(field.property))(let value): .object([\(SwiftLiteral.string(field.name)): value.inputValue])"
                    )
                }
                writer.line("}")
            }
        }
    }

    /// Writes an enumeration. It has a case for values that are added to the schema after the generation.
    mutating func write(_ type: EnumType) {
        documentation(type.description, else: "The enumeration `\(type.name)`.")
        let name = SwiftName.type(type.name)
        let cases = Array(zip(SwiftName.cases(type.values.map(\.name)).map { SwiftName.escaped($0) }, type.values))
        declarationBlock("enum \(name): GraphQLEnumeration, Encodable") { writer in
            for (name, value) in cases {
                writer.documentation(value.description, else: "`\(value.name)`.", deprecated: value.deprecationReason)
                writer.line("case \(name)")
            }
            writer.documentation(nil, else: "A value that the schema did not have when this file was generated.")
            writer.line("case unknown(String)")
            writer.line()
            writer.documentation(nil, else: "The values of the schema.")
            writer.declaredCall("static let allCases: [\(name)] = [", cases.map { "." + $0.0 }, "]")
            writer.line()
            writer.documentation(nil, else: "Creates the value with the given name.")
            writer.declarationBlock("init(rawValue: String)") { writer in
                writer.line("switch rawValue {")
                for (name, value) in cases {
                    writer.line("case \(SwiftLiteral.string(value.name)): self = .\(name)")
                }
                writer.line("default: self = .unknown(rawValue)")
                writer.line("}")
            }
            writer.line()
            writer.documentation(nil, else: "The name in the schema.")
            writer.declarationBlock("var rawValue: String") { writer in
                writer.line("switch self {")
                for (name, value) in cases { writer.line("case .\(name): \(SwiftLiteral.string(value.name))") }
                writer.line("case .unknown(let name): name")
                writer.line("}")
            }
        }
    }
}
