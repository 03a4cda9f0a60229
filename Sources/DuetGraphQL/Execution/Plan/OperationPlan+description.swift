extension OperationPlan: CustomStringConvertible {
    /// A description with one indented line for each field. A line contains the field's type and the kind of its
    /// resolver.
    public var description: String {
        var lines: [String] = []
        append(root, 0, to: &lines)
        return lines.joined(separator: "\n")
    }

    private static let maximumLines = 1_000

    private func append(_ selection: PlannedSelection, _ depth: Int, to lines: inout [String]) {
        for field in selection.fields { append(field, depth, to: &lines) }
        for group in selection.deferred {
            add("deferred" + (group.deferUsages.first?.label.map { " \"\($0)\"" } ?? ""), depth, to: &lines)
            for field in group.fields { append(field, depth + 1, to: &lines) }
        }
    }

    private func append(_ field: PlannedField, _ depth: Int, to lines: inout [String]) {
        let alias = field.responseName == field.name ? "" : "\(field.responseName): "
        let arguments =
            switch field.arguments {
            case .constant(let values) where values.isEmpty: ""
            case .constant(let values): "(" + values.map { "\($0.name): \($0.value)" }.joined(separator: ", ") + ")"
            case .dependsOnVariables: "(" + field.field.arguments.map { "\($0.name): …" }.joined(separator: ", ") + ")"
            case .invalid(let error): "(invalid: \(error.message))"
            }
        add("\(alias)\(field.name)\(arguments): \(field.field.type) [\(field.resolution.name)]", depth, to: &lines)
        append(field.output, depth + 1, to: &lines)
    }

    private func append(_ output: PlannedOutput, _ depth: Int, to lines: inout [String]) {
        switch output.kind {
        case .scalar, .enum: break
        case .list(let item): append(item, depth, to: &lines)
        case .object(let selection): append(selection, depth, to: &lines)
        case .abstract(let abstract):
            for (name, selection) in abstract.plannedSelections {
                add("on \(name)", depth, to: &lines)
                append(selection, depth + 1, to: &lines)
            }
        }
    }

    private func add(_ line: String, _ depth: Int, to lines: inout [String]) {
        if lines.count < Self.maximumLines { lines.append(String(repeating: "  ", count: depth) + line) }
        if lines.count == Self.maximumLines { lines.append("…") }
    }
}

extension PlannedField.Resolution {
    fileprivate var name: String {
        switch self {
        case .constant: "constant"
        case .sync: "sync"
        case .asynchronous(.async): "async"
        case .asynchronous(.batch): "batch"
        case .asynchronous(.subtree): "subtree"
        case .asynchronous(.events(_, nil)): "events"
        case .asynchronous(.events): "events, subtree"
        case .asynchronous(.sync): "sync"
        }
    }
}
