/// The arguments of a planned field.
enum ArgumentPlan: Sendable {
    /// The coerced values, which contain no variable.
    case constant(ObjectValue)
    /// They contain variables, so they are coerced once for each request.
    case dependsOnVariables
    /// The coercion failed, so the field has this execution error.
    case invalid(GraphQLError)
}
