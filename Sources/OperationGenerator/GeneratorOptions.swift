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
    /// The enumeration around all declarations; `nil` for none.
    package var namespace: String?
    /// Swift types by the names of custom scalars. A scalar that is not listed is a `JSONValue`.
    package var scalars: [String: String] = [:]
    /// Modules that the generated file imports besides DuetClient and DuetJSON.
    package var imports: [String] = []
    /// True to write a protocol with the fields of each type of the schema.
    package var listsFields = false

    /// The default settings.
    package init() {}
}
