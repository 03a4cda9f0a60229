/// The arguments of a planned field.
enum ArgumentPlan: Sendable {
    /// The coerced values of arguments without variables.
    case constant(ObjectValue)
    /// Arguments with variables. They are coerced once for each request.
    case dependsOnVariables
    /// The execution error of the field, because the coercion failed.
    case invalid(GraphQLError)
}
