internal import Synchronization

/// The plan of an operation: a tree of fields that can be executed repeatedly. A plan applies to one combination of
/// values of the variables in `@skip`, `@include`, `@defer` and `@stream`.
public final class OperationPlan: Sendable {
    /// The fields of the operation's root object.
    public let root: PlannedSelection
    /// The cache policy of responses, according to the schema; nil if the operation is not a query.
    public let cachePolicy: CachePolicy?
    /// The operation's only field, if the field has a subtree resolver.
    let singleSubtreeField: SingleSubtreeField?
    private let planner: OperationPlanner
    private let formula = Mutex<CostFormula?>(nil)

    init(
        _ operation: OperationDefinition, on type: ObjectType, planner: OperationPlanner
    ) throws(GraphQLError) {
        self.planner = planner
        root = try planner.plan(operation, on: type)
        singleSubtreeField = SingleSubtreeField(root)
        cachePolicy =
            operation.operation == .query ? CachePolicyBuilder.policy(of: operation, root, plannedBy: planner) : nil
    }

    /// The number of fields that have been planned so far.
    public var fieldCount: Int { planner.fieldCount }

    /// Returns the formula of the operation's cost. The first call creates the formula, and plans the selections on
    /// interfaces and unions for all their possible types.
    func costFormula(_ schema: ResolvedSchema, _ source: Source) throws(GraphQLError) -> CostFormula {
        if let formula = formula.withLock({ $0 }) { return formula }
        let made = try CostFormulaBuilder.formula(
            of: self, model: schema.costModel, schema: schema.schema, source: source)
        formula.withLock { $0 = made }
        return made
    }
}

/// Limits of an operation's plan. With fragments, a short document can select a very large number of fields.
public struct PlanLimits: Sendable, Hashable {
    /// The maximum number of fields. A field of a fragment is counted once for each position in the plan and for each
    /// object type for which it is planned.
    public var fields: Int
    /// The maximum number of selections that CollectFields visits.
    public var selections: Int
    /// The maximum nesting depth of fields, including the fields of fragments. Planning and execution recurse to this
    /// depth. For the default, a stack of 512 KiB is sufficient, even in a debug build.
    public var depth: Int

    /// Creates limits. The defaults are for operations of unknown clients.
    public init(fields: Int = 50_000, selections: Int = 1_000_000, depth: Int = 64) {
        self.fields = fields
        self.selections = selections
        self.depth = depth
    }
}

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
