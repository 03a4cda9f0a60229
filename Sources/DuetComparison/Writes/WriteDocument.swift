import DuetResourceService

/// A field of a GraphQL mutation, with its variables.
struct WriteDocument: Sendable {
    enum Kind: Sendable {
        case create, createMany, update, delete
    }

    let kind: Kind
    let resource: Resource
    /// The selection of the row in the payload, as lines.
    let selection: [String]
    /// True if an update has the argument `ifMatch`.
    let hasTag: Bool
    /// The name of the mutation that creates several rows.
    let manyName: String

    init(
        _ kind: Kind, _ resource: Resource, selecting selection: [String], hasTag: Bool = false, manyName: String = ""
    ) {
        self.manyName = manyName
        self.kind = kind
        self.resource = resource
        self.selection = selection
        self.hasTag = hasTag
    }

    /// Returns an operation with this field.
    func document(_ name: String) -> String {
        let variables = variables("").map { "$\($0): \($1)" }.joined(separator: ", ")
        return (["mutation \(name)(\(variables)) {"] + field("").map { "  \($0)" } + ["}"]).joined(separator: "\n")
    }

    /// Returns the variables with their types.
    /// - Parameter suffix: The end of their names, if an operation has several fields.
    func variables(_ suffix: String) -> [(name: String, type: String)] {
        let type = resource.type
        let keys = Self.keyVariables(resource).map { ("\($0.name)\(suffix)", $0.type) }
        switch kind {
        case .create: return [("input\(suffix)", "Create\(type)Input!")]
        case .createMany: return [("inputs\(suffix)", "[Create\(type)Input!]!")]
        case .update:
            return keys + [("patch\(suffix)", "Update\(type)Input!")] + (hasTag ? [("tag\(suffix)", "String")] : [])
        case .delete: return keys
        }
    }

    /// Returns the field as lines. The variables have the names of the arguments, with a suffix.
    func field(_ suffix: String) -> [String] {
        let type = resource.type
        let keys = Self.keyVariables(resource).map { "\($0.name): $\($0.name)\(suffix)" }
        let errors = ["  errors {", "    message", "  }", "}"]
        func call(_ name: String, _ arguments: [String]) -> String {
            "\(name)(\(arguments.joined(separator: ", "))) {"
        }
        func rows(_ member: String) -> [String] {
            selection.isEmpty ? [] : ["  \(member) {"] + selection.map { "    \($0)" } + ["  }"]
        }
        let row = resource.singular == "errors" ? "row" : resource.singular
        switch kind {
        case .create: return [call("create\(type)", ["input: $input\(suffix)"])] + rows(row) + errors
        case .createMany:
            let list = resource.name == "errors" ? "rows" : resource.name
            return [call(manyName, ["inputs: $inputs\(suffix)"])] + rows(list) + errors
        case .update:
            let tag = hasTag ? ["ifMatch: $tag\(suffix)"] : []
            return [call("update\(type)", keys + ["patch: $patch\(suffix)"] + tag)] + rows(row) + errors
        case .delete: return [call("delete\(type)", keys), "  deletedId"] + errors
        }
    }

    /// The variables with the key of a row.
    private static func keyVariables(_ resource: Resource) -> [(name: String, type: String)] {
        resource.itemArguments.map { ($0.name, $0.name == "id" ? "ID!" : $0.field.type.graphQLName + "!") }
    }

    /// Returns the operation that reads one row.
    static func item(_ resource: Resource, selecting selection: [String]) -> String {
        let keys = keyVariables(resource)
        let variables = keys.map { "$\($0.name): \($0.type)" }.joined(separator: ", ")
        let arguments = keys.map { "\($0.name): $\($0.name)" }.joined(separator: ", ")
        return
            (["query Item(\(variables)) {", "  \(resource.singular)(\(arguments)) {"]
            + selection.map { "    \($0)" } + ["  }", "}"]).joined(separator: "\n")
    }
}
