extension PlannedOperation {
    /// Returns the maximum cost of the operation (see ``CostModel``), from 0 to 10^15.
    ///
    /// The part of the cost that does not depend on variables is computed once for each plan.
    /// - Parameter variables: The request's variables before coercion.
    /// - Throws: Request errors, such as variables of a wrong type.
    package func cost(variables: ObjectValue) throws(GraphQLErrors) -> Int {
        let coerced = try coerce(variables)
        do {
            return try plan(variables: coerced).costFormula(resolvedSchema, document.source).cost(coerced)
        } catch {
            throw GraphQLErrors([error])
        }
    }

    /// Throws request errors if an operation exceeds the limits of its ``OperationExtent``, which does not depend on
    /// variables.
    static func checkExtent(
        of operation: OperationDefinition, in document: Document, _ limits: OperationLimits
    ) throws(GraphQLErrors) {
        guard limits.limitsExtent else { return }
        let errors = limits.errors(
            for: OperationExtent(of: operation, in: document), at: document.source.location(of: operation.range))
        if !errors.isEmpty { throw GraphQLErrors(errors) }
    }

    /// Throws a request error if the cost of the operation with these variables exceeds the limit.
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
