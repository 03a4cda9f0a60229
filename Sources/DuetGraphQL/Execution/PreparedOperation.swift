internal import Synchronization

/// An operation of a document, ready to be executed any number of times, at the same time too.
///
/// Its plan is made once, or once for each combination of the variables that its conditions (`@skip`, `@include`) depend on.
public final class PreparedOperation: Sendable {
    /// The schema it is for.
    public let schema: ExecutableSchema
    /// The document it is in.
    public let document: Document
    /// The operation.
    public let definition: OperationDefinition
    let rootType: ObjectType
    private let fragments: [String: FragmentDefinition]
    /// The variables that conditions depend on.
    private let conditionVariables: [String]
    /// The plan of most operations, whose conditions depend on no variable, where nothing is delivered later.
    private let onlyPlan: OperationPlan?
    /// The others.
    private let plans = Mutex<[PlanKey: OperationPlan]>([:])
    /// How many bytes the last response had.
    let responseSize = Atomic<Int>(512)

    /// How many plans are kept; more combinations are planned each time.
    static let keptPlans = 16
    /// How many fields the kept plans may have together, if there is more than one.
    static let keptFields = 10_000

    private struct PlanKey: Hashable {
        let delivers: Bool
        let values: [Value?]
    }

    /// Prepares an operation of a document that is valid for the schema.
    /// - Parameter operationName: which one, if there are several.
    /// - Throws: request errors: there is no such operation, or it is too large (``OperationLimits``, ``PlanLimits``).
    public init(
        _ document: Document, operationName: String? = nil, schema: ExecutableSchema
    ) throws(GraphQLErrors) {
        self.schema = schema
        self.document = document
        do throws(GraphQLError) {
            definition = try Self.operation(named: operationName, in: document)
            guard let root = schema.schema.rootType(for: definition.operation) else {
                throw GraphQLError(
                    "Schema is not configured to execute \(definition.operation.rawValue) operation.",
                    locations: [document.source.location(of: definition.range)])
            }
            rootType = root
        } catch {
            throw GraphQLErrors([error])
        }
        try Self.checkExtent(of: definition, in: document, schema.options.operationLimits)
        do throws(GraphQLError) {
            fragments = Dictionary(
                document.fragments.map { ($0.name.value, $0) }, uniquingKeysWith: { first, _ in first })
            conditionVariables = ConditionVariables.names(in: document, of: definition)
            onlyPlan =
                conditionVariables.isEmpty
                ? try Self.plan(
                    definition, on: rootType, fragments, in: document, schema, variables: [:],
                    deliversIncrementally: false)
                : nil
        } catch {
            throw GraphQLErrors([error])
        }
    }

    /// What the operation does with these variables, as text: a line for each field, with how it is resolved.
    /// - Parameter variables: as the request gives them.
    /// - Throws: request errors, such as variables of a wrong type.
    public func planDescription(variables: ObjectValue = [:]) throws(GraphQLErrors) -> String {
        try context(variables, ()).plan.description
    }

    /// GetOperation (specification, section 6.1).
    private static func operation(
        named name: String?, in document: Document
    ) throws(GraphQLError) -> OperationDefinition {
        let operations = document.operations
        if let name {
            guard let operation = operations.first(where: { $0.name?.value == name }) else {
                throw GraphQLError("Unknown operation named \"\(name)\".")
            }
            return operation
        }
        guard let first = operations.first else { throw GraphQLError("Must provide an operation.") }
        guard operations.count == 1 else {
            throw GraphQLError("Must provide operation name if query contains multiple operations.")
        }
        return first
    }

    /// About how many bytes of memory it takes, with the plans made so far and what resolvers keep of them.
    var estimatedBytes: Int {
        let fields = plans.withLock { $0.values.reduce(onlyPlan?.fieldCount ?? 0) { $0 + $1.fieldCount } }
        return document.source.bytes.count * 10 + fields * 2_600
    }

    /// The plan for coerced variables.
    /// - Throws: if it is too large, or a condition has no value.
    public func plan(
        variables: ObjectValue, deliversIncrementally: Bool = false
    ) throws(GraphQLError) -> OperationPlan {
        if let onlyPlan, !deliversIncrementally { return onlyPlan }
        let key = PlanKey(delivers: deliversIncrementally, values: conditionVariables.map { variables[$0] })
        if let plan = plans.withLock({ $0[key] }) { return plan }
        let plan = try Self.plan(
            definition, on: rootType, fragments, in: document, schema, variables: variables,
            deliversIncrementally: deliversIncrementally)
        plans.withLock { plans in
            let kept = plans.values.reduce(onlyPlan?.fieldCount ?? 0) { $0 + $1.fieldCount }
            if plans.count < Self.keptPlans, kept == 0 || kept + plan.fieldCount <= Self.keptFields {
                plans[key] = plan
            }
        }
        return plan
    }

    private static func plan(
        _ definition: OperationDefinition, on type: ObjectType, _ fragments: [String: FragmentDefinition],
        in document: Document, _ schema: ExecutableSchema, variables: ObjectValue, deliversIncrementally: Bool
    ) throws(GraphQLError) -> OperationPlan {
        let conditions = PlanConditions(
            variables: variables, deliversIncrementally: deliversIncrementally, source: document.source)
        return try OperationPlan(
            definition, on: type,
            planner: OperationPlanner(schema: schema, fragments: fragments, conditions: conditions))
    }
}

/// Which variables the plan of an operation depends on.
private enum ConditionVariables {
    private static let directives: Set<String> = ["skip", "include", "defer", "stream"]

    /// The operation's variables that stand in `@skip`, `@include`, `@defer` and `@stream` anywhere in the document.
    static func names(in document: Document, of operation: OperationDefinition) -> [String] {
        guard !operation.variableDefinitions.isEmpty else { return [] }
        var found: Set<String> = []
        var open: [NodeList<Selection>] = [operation.selectionSet.selections]
        open += document.fragments.map(\.selectionSet.selections)
        while let selections = open.popLast() {
            for selection in selections {
                for directive in selection.directives where directives.contains(directive.name.value) {
                    for argument in directive.arguments {
                        if case .variable(let name) = argument.value.kind { found.insert(name.value) }
                    }
                }
                switch selection {
                case .field(let field): if let set = field.selectionSet { open.append(set.selections) }
                case .inlineFragment(let fragment): open.append(fragment.selectionSet.selections)
                case .fragmentSpread: break
                }
            }
        }
        return operation.variableDefinitions.map(\.variable.name.value).filter(found.contains)
    }
}
