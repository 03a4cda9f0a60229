import DuetResourceService

/// A description created from the schema of a database. Its comments explain the decisions that its author must make.
public struct IntrospectedDescription: Sendable {
    /// The description.
    public let api: APIDescription
    /// A sentence about each table, view and column that the description omits, except hidden columns.
    public let omissions: [String]
    private let notes: [String: [String]]
    private let header: [String]

    /// Describes the tables and views of a schema. The description omits a table or view that cannot be read, and one
    /// whose columns all look like credentials. The result depends only on the arguments.
    /// - Parameters:
    ///   - schema: The schema of the database.
    ///   - contents: Rows of a SQLite database. Without rows, the types of fields depend on the declared types alone,
    ///     and rows with other values make requests fail.
    ///   - writes: True to permit clients to write the rows of tables with a key.
    /// - Throws: `CatalogueError` if the schema has no table that can be described.
    public init(
        of schema: DatabaseSchema, contents: DatabaseContents = DatabaseContents(), writes: Bool = false
    ) throws {
        var describer = SchemaDescriber(schema, contents, permitsWrites: writes)
        api = try describer.description()
        guard !api.catalogue.resources.isEmpty else {
            throw CatalogueError("the database has no table or view that can be described")
        }
        omissions = describer.omissions
        notes = describer.notes
        header = describer.header
    }

    /// The description as YAML, with comments.
    public var yaml: String { DescriptionWriter.text(of: api, notes: notes, header: header) }

    /// Returns the description as YAML, with comments. The first comment refers editors to the JSON Schema.
    /// - Parameter schema: The path from the description to the schema, or its URL.
    public func yaml(schema: String) -> String {
        DescriptionWriter.text(of: api, notes: notes, header: [DescriptionSchema.comment(schema)] + header)
    }

    /// The comments, with the paths of the described members: `orders/fields/total`.
    public var comments: [(path: String, text: String)] {
        notes.sorted { $0.key < $1.key }.flatMap { path, texts in texts.map { (path, $0) } }
    }
}
