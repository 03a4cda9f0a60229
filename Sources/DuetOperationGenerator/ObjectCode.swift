/// Writes the structures of response objects.
extension CodeWriter {
    /// Writes a structure with two initializers: one takes values, and the other decodes a response or cached records.
    mutating func write(_ shape: GeneratedObject, documentation text: String? = nil) {
        documentation(text ?? shape.description, else: "An object of the response.")
        declarationBlock("struct \(shape.name): DataDecodable, Encodable, Hashable") { writer in
            if let typeName = shape.typeName {
                writer.documentation(nil, else: "The GraphQL type of the object.")
                writer.declaration("static let typeName: String? = \(SwiftLiteral.string(typeName))")
                writer.line()
            }
            for member in shape.members {
                writer.documentation(
                    member.description, else: "The field `\(member.responseName ?? member.property)`.",
                    deprecated: member.deprecationReason)
                writer.declaration("var \(SwiftName.escaped(member.property)): \(member.swiftType)")
            }
            writer.line()
            writer.writeInitializers(shape)
            writer.writeEncoding(shape)
            for member in shape.members {
                switch member.content {
                case .object(let inner), .typeCase(let inner):
                    writer.line()
                    writer.write(inner)
                case .leaf, .fragment: continue
                }
            }
        }
    }

    private mutating func writeInitializers(_ shape: GeneratedObject) {
        documentation(nil, else: "Creates an object.")
        let parameters = shape.members.map { member in
            "\(SwiftName.escaped(member.property)): \(member.swiftType)\(member.swiftType.hasSuffix("?") ? " = nil" : "")"
        }
        declaredCall("init(", parameters, ") {")
        indented { writer in
            for member in shape.members {
                let name = SwiftName.escaped(member.property)
                writer.line("self.\(name) = \(name)")
            }
        }
        line("}")
        line()
        documentation(nil, else: "Decodes the object.\n- Throws: `ModelError`.")
        declarationBlock("init(from decoder: DynamicDecoder) throws(ModelError)") { writer in
            for member in shape.members {
                writer.line("\(SwiftName.escaped(member.property, in: "decoder")) = try \(member.read)")
            }
        }
    }

    private mutating func writeEncoding(_ shape: GeneratedObject) {
        line()
        documentation(nil, else: "Encodes the object in the form of a response.\n- Throws: `EncodingError`.")
        declarationBlock("func encode(to encoder: any Encoder) throws") { writer in
            if shape.members.contains(where: { $0.responseName != nil }) {
                writer.line("var container = encoder.container(keyedBy: ResponseName.self)")
            }
            // Fragments and type cases are encoded first. If one of them contains a field that this structure also
            // contains, the value in this structure replaces the value in the fragment or type case.
            for member in shape.members where member.responseName == nil {
                let name = SwiftName.escaped(member.property, in: "encoder", "container")
                writer.line("try \(name)\(member.swiftType.hasSuffix("?") ? "?" : "").encode(to: encoder)")
            }
            for member in shape.members {
                guard let responseName = member.responseName else { continue }
                let name = SwiftName.escaped(member.property, in: "encoder", "container")
                writer.line("try container.encode(\(name), forKey: \(SwiftLiteral.string(responseName)))")
            }
        }
    }
}

extension SwiftName {
    /// Returns the name of a property, with `self.` if one of the local variables has the same name.
    static func escaped(_ property: String, in locals: String...) -> String {
        locals.contains(property) ? "self.\(property)" : escaped(property)
    }
}
