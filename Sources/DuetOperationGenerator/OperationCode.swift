import DuetGraphQL
import DuetPersistedDocuments

/// An operation and the values that the generator writes for it.
struct GeneratedOperation {
    let name: String
    let typeName: String
    let definition: OperationDefinition
    /// The document that the client sends.
    let text: String
    let data: GeneratedObject

    var hash: String { DocumentHash(of: text).description }
}

extension CodeWriter {
    mutating func write(_ operation: GeneratedOperation, _ types: SwiftTypes) {
        let kind = operation.definition.operation.rawValue
        documentation(operation.definition.description?.value, else: "The \(kind) `\(operation.name)`.")
        let input = InputFields(operation.definition.variableDefinitions, types)
        declarationBlock("struct \(operation.typeName): GraphQL\(SwiftName.type(kind)), Hashable") { writer in
            writer.documentation(nil, else: "The SHA-256 hash of the document, which identifies a persisted query.")
            writer.declaration("static let hash = \(SwiftLiteral.string(operation.hash))")
            writer.line()
            if input.fields.isEmpty {
                writer.documentation(nil, else: "The \(kind).")
                writer.declaration("init() {}")
            } else {
                writer.write(input, nullsOf: "variable", member: "var variables: JSONObject", result: "object")
            }
            writer.line()
            writer.writeDocument(operation)
            writer.line()
            writer.write(operation.data, documentation: "The data of the \(kind).")
        }
    }

    private mutating func writeDocument(_ operation: GeneratedOperation) {
        documentation(nil, else: "The document.\n- Throws: `ModelError`.")
        declarationBlock("static func document() throws(ModelError) -> OperationDocument") { writer in
            writer.line("try document(")
            writer.indented { writer in
                writer.line("name: \(SwiftLiteral.string(operation.name)),")
                let delimiters = SwiftLiteral.rawDelimiters(for: operation.text)
                writer.line("text: \(delimiters.start)")
                writer.indented { writer in
                    for line in operation.text.split(separator: "\n", omittingEmptySubsequences: false) {
                        writer.line(String(line))
                    }
                    writer.line("\(delimiters.end),")
                }
                let variables = operation.definition.variableDefinitions.map { definition in
                    let value = definition.defaultValue.map { ", defaultValue: \(SwiftLiteral.json($0))" } ?? ""
                    let type = GraphQLType(definition.type).description
                    return
                        "VariableDefinition(\(SwiftLiteral.string(definition.variable.name.value)), \(SwiftLiteral.string(type))\(value))"
                }
                writer.call("variables: [", variables, "])")
            }
        }
    }
}
