extension PlannedOperation {
    /// What the operation would cost at most (see ``CostModel``), from 0 to 10^15.
    ///
    /// What does not depend on variables is added up once for each plan.
    /// - Parameter variables: as the request gives them.
    /// - Throws: request errors, such as variables of a wrong type.
    package func cost(variables: ObjectValue) throws(GraphQLErrors) -> Int {
        let coerced = try coerce(variables)
        do {
            return try plan(variables: coerced).costFormula(resolvedSchema, document.source).cost(coerced)
        } catch {
            throw GraphQLErrors([error])
        }
    }

    /// Refuses an operation whose text asks for too much.
    static func checkExtent(
        of operation: OperationDefinition, in document: Document, _ limits: OperationLimits
    ) throws(GraphQLErrors) {
        guard limits.limitsExtent else { return }
        let errors = limits.errors(
            for: OperationExtent(of: operation, in: document), at: document.source.location(of: operation.range))
        if !errors.isEmpty { throw GraphQLErrors(errors) }
    }

    /// Refuses an operation that costs too much with these variables.
    func checkCost(of plan: OperationPlan, _ variables: ObjectValue) throws(GraphQLError) {
        let limits = resolvedSchema.options.operationLimits
        guard limits.cost < .max else { return }
        let cost = try plan.costFormula(resolvedSchema, document.source).cost(variables)
        if cost > limits.cost,
            let error = limits.error(forCost: cost, at: document.source.location(of: definition.range))
        {
            throw error
        }
    }
}
