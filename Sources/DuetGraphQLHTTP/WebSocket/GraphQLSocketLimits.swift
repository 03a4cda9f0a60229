/// The limits of a ``GraphQLSocket``.
package struct GraphQLSocketLimits: Sendable, Hashable {
    /// The maximum time from the opening of the connection to `connection_init`.
    package var initTimeout: Duration = .seconds(10)
    /// The maximum number of active operations.
    package var maximumOperations = 100

    /// Creates the default limits.
    package init() {}
}
