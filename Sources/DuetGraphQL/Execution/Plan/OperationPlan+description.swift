extension OperationPlan: CustomStringConvertible {
    /// A line per field, indented; how it is resolved and what type it has.
    public var description: String {
        var lines: [String] = []
        append(root, 0, to: &lines)
        return lines.joined(separator: "\n")
    }

    /// Longer plans are cut off.
    private static let longest = 1_000

    private func append(_ selection: PlannedSelection, _ depth: Int, to lines: inout [String]) {
        for field in selection.fields { append(field, depth, to: &lines) }
        for group in selection.deferred {
            add("deferred" + (group.usages.first?.label.map { " \"\($0)\"" } ?? ""), depth, to: &lines)
            for field in group.fields { append(field, depth + 1, to: &lines) }
        }
    }

    private func append(_ field: PlannedField, _ depth: Int, to lines: inout [String]) {
        let alias = field.responseKey == field.name ? "" : "\(field.responseKey): "
        let arguments =
            switch field.arguments {
            case .constant(let values) where values.isEmpty: ""
            case .constant(let values): "(" + values.map { "\($0.name): \($0.value)" }.joined(separator: ", ") + ")"
            case .needVariables: "(" + field.field.arguments.map { "\($0.name): …" }.joined(separator: ", ") + ")"
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
            for (name, selection) in abstract.known {
                add("on \(name)", depth, to: &lines)
                append(selection, depth + 1, to: &lines)
            }
        }
    }

    private func add(_ line: String, _ depth: Int, to lines: inout [String]) {
        if lines.count < Self.longest { lines.append(String(repeating: "  ", count: depth) + line) }
        if lines.count == Self.longest { lines.append("…") }
    }
}

extension PlannedField.Resolution {
    fileprivate var name: String {
        switch self {
        case .constant: "constant"
        case .sync: "sync"
        case .later(.async): "async"
        case .later(.batch): "batch"
        case .later(.subtree): "subtree"
        case .later(.events): "events"
        case .later(.sync): "sync"
        }
    }
}
