internal import Synchronization

/// The operation that a ``PreparedOperation`` executes, without the type of the user context.
///
/// An operation has one plan for each combination of values of the variables in its conditions (`@skip`, `@include`,
/// `@defer` and `@stream`). If no condition depends on a variable, the operation has a single plan. In addition, there
/// are separate plans for incremental delivery.
package final class PlannedOperation: Sendable {
    let resolvedSchema: ResolvedSchema
    /// The schema of the operation.
    package var schema: Schema { resolvedSchema.schema }
    /// The document of the operation.
    package let document: Document
    /// The operation's definition.
    package let definition: OperationDefinition
    let rootType: ObjectType
    private let fragments: [String: FragmentDefinition]
    /// The names of the variables in conditions.
    private let conditionVariables: [String]
    /// True if the document contains no other operation.
    private let isOnlyOperation: Bool
    /// The estimated memory in bytes, without the plans in ``plans``.
    private let initialBytes: Int
    /// The plan without incremental delivery if no condition depends on a variable; otherwise nil.
    private let unconditionalPlan: OperationPlan?
    /// The cached plans that depend on variables, and the cached plans with incremental delivery.
    private let plans = Mutex<[PlanKey: OperationPlan]>([:])
    /// True if ``plans`` is not empty.
    private let hasCachedPlans = Atomic<Bool>(false)
    /// The number of bytes of the last response.
    let responseSize = Atomic<Int>(512)

    /// The maximum number of cached plans. If it is reached, further plans are not cached, so each request that needs
    /// one of them plans the operation again.
    static let maximumCachedPlans = 16
    /// The maximum number of fields in all cached plans, if there are several plans.
    static let maximumCachedFields = 10_000

    private struct PlanKey: Hashable {
        let deliversIncrementally: Bool
        let conditionValues: [Value?]
    }

    /// Plans an operation of a document that is valid for the schema.
    /// - Throws: Request errors if the operation exceeds the limits (``OperationLimits``, ``PlanLimits``).
    init(
        _ document: Document, _ definition: OperationDefinition, resolvedSchema schema: ResolvedSchema
    ) throws(GraphQLErrors) {
        resolvedSchema = schema
        self.document = document
        self.definition = definition
        do throws(GraphQLError) {
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
            unconditionalPlan =
                conditionVariables.isEmpty
                ? try Self.plan(
                    definition, on: rootType, fragments, in: document, schema, variables: [:],
                    deliversIncrementally: false)
                : nil
        } catch {
            throw GraphQLErrors([error])
        }
        isOnlyOperation = document.operations.count == 1
        initialBytes = Self.estimatedBytes(of: document, fields: unconditionalPlan?.fieldCount ?? 0)
    }

    /// Returns a description of the plan for the variables, with a line for each field. A line contains the field's
    /// type and the kind of its resolver.
    /// - Parameter variables: The request's variables before coercion.
    /// - Throws: Request errors, such as variables of a wrong type.
    package func planDescription(variables: ObjectValue) throws(GraphQLErrors) -> String {
        let coerced = try coerce(variables)
        do {
            return try plan(variables: coerced).description
        } catch {
            throw GraphQLErrors([error])
        }
    }

    /// Returns the definition of an operation (GetOperation; specification, section 6.1).
    /// - Throws: An error if no operation has the name, or if the name is nil and the document does not contain exactly
    ///   one operation.
    static func definition(
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

    /// Returns true if GetOperation (specification, section 6.1) selects this operation from a document.
    /// - Parameters:
    ///   - document: The bytes of the document.
    ///   - name: The operation's name. If it is nil, the document must not contain another operation.
    @inline(__always)
    func isOperation(in document: UnsafeRawBufferPointer, named name: String?) -> Bool {
        guard name == nil ? isOnlyOperation : name == definition.name?.value else { return false }
        return self.document.source.hasBytes(document)
    }

    /// The estimated memory in bytes, with the current plans and the objects that resolvers cache in them.
    @inline(__always)
    package var estimatedBytes: Int {
        // Each cache hit reads the size. Most operations have only the unconditional plan, so they need no lock.
        hasCachedPlans.load(ordering: .relaxed) ? estimatedBytesWithCachedPlans() : initialBytes
    }

    @inline(never)
    private func estimatedBytesWithCachedPlans() -> Int {
        let fields = plans.withLock { $0.values.reduce(unconditionalPlan?.fieldCount ?? 0) { $0 + $1.fieldCount } }
        return Self.estimatedBytes(of: document, fields: fields)
    }

    private static func estimatedBytes(of document: Document, fields: Int) -> Int {
        document.source.bytes.count * 10 + fields * 2_600
    }

    /// Returns the plan for coerced variables.
    /// - Throws: An error if the plan exceeds the limits, or if the condition of a `@skip` or `@include` has no value.
    package func plan(
        variables: ObjectValue, deliversIncrementally: Bool = false
    ) throws(GraphQLError) -> OperationPlan {
        if let unconditionalPlan, !deliversIncrementally { return unconditionalPlan }
        let key = PlanKey(
            deliversIncrementally: deliversIncrementally, conditionValues: conditionVariables.map { variables[$0] })
        if let plan = plans.withLock({ $0[key] }) { return plan }
        let plan = try Self.plan(
            definition, on: rootType, fragments, in: document, resolvedSchema, variables: variables,
            deliversIncrementally: deliversIncrementally)
        plans.withLock { plans in
            let cachedFields = plans.values.reduce(unconditionalPlan?.fieldCount ?? 0) { $0 + $1.fieldCount }
            if plans.count < Self.maximumCachedPlans,
                cachedFields == 0 || cachedFields + plan.fieldCount <= Self.maximumCachedFields
            {
                plans[key] = plan
                hasCachedPlans.store(true, ordering: .relaxed)
            }
        }
        return plan
    }

    private static func plan(
        _ definition: OperationDefinition, on type: ObjectType, _ fragments: [String: FragmentDefinition],
        in document: Document, _ schema: ResolvedSchema, variables: ObjectValue, deliversIncrementally: Bool
    ) throws(GraphQLError) -> OperationPlan {
        let conditions = PlanConditions(
            variables: variables, deliversIncrementally: deliversIncrementally, source: document.source)
        return try OperationPlan(
            definition, on: type,
            planner: OperationPlanner(schema: schema, fragments: fragments, conditions: conditions))
    }
}
