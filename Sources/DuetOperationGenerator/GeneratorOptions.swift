/// The settings of a ``ClientGenerator``.
package struct GeneratorOptions: Sendable {
    /// The access level of the generated declarations.
    package enum AccessLevel: String, Sendable, CaseIterable {
        case `internal`
        case package
        case `public`
    }

    /// The access level of the generated declarations.
    package var accessLevel = AccessLevel.internal
    /// The enumeration that contains all declarations; `nil` for declarations at the top level.
    package var namespace: String?
    /// The Swift types of custom scalars and enumerations, by name. A custom scalar without an entry is a `JSONValue`.
    package var scalars: [String: String] = [:]
    /// The modules that the generated file imports in addition to DuetClient.
    package var imports: [String] = []
    /// True to generate a protocol for each object type and interface of the schema. An extension of the protocol has a
    /// static member for each field.
    package var listsFields = false

    /// Creates the default settings.
    package init() {}
}
