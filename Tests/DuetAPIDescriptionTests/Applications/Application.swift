/// The tables of an application's or framework's SQLite file, reduced to the columns that matter, with invented rows of
/// the kinds that such files have.
struct Application: Sendable, CustomStringConvertible {
    let name: String
    let script: String
    /// The described types of notable columns, keyed by `table.column`. A type that a comment suggests follows after an
    /// arrow: `integer → date`. The type of a column that looks like a credential is `hidden`.
    let types: [String: String]
    /// Requests, which are paths of REST or GraphQL queries, and their answers.
    let answers: KeyValuePairs<String, String>

    var description: String { name }

    init(_ name: String, _ script: String, types: [String: String], answers: KeyValuePairs<String, String>) {
        (self.name, self.script, self.types, self.answers) = (name, script, types, answers)
    }

    static let all = browsers + apple + mobile + desktop + frameworks + servers + collections
}
