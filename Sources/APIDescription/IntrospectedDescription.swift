public import DatabaseSchema
import DuetResourceService

/// A description made from the schema of a database, with comments on what it leaves to its reader.
public struct IntrospectedDescription: Sendable {
    /// The description.
    public let api: APIDescription
    private let notes: [String: [String]]
    private let header: [String]

    /// Describes all tables and views of a schema. The same schema gives the same description.
    /// - Throws: `CatalogueError` for a schema without a table that can be described.
    public init(of schema: DatabaseSchema) throws {
        var describer = SchemaDescriber(schema)
        api = try describer.description()
        guard !api.catalogue.resources.isEmpty else {
            throw CatalogueError("the database has no table or view that can be described")
        }
        notes = describer.notes
        header = describer.header
    }

    /// The description as YAML, with comments.
    public var yaml: String { DescriptionWriter.text(of: api, notes: notes, header: header) }

    /// The description as YAML, with comments, of which the first one lets editors find the JSON Schema.
    /// - Parameter schema: The path from the description to the schema, or its URL.
    public func yaml(schema: String) -> String {
        DescriptionWriter.text(of: api, notes: notes, header: [DescriptionSchema.comment(schema)] + header)
    }

    /// The comments with the paths of what they are about: `orders/fields/total`.
    public var comments: [(path: String, text: String)] {
        notes.sorted { $0.key < $1.key }.flatMap { path, texts in texts.map { (path, $0) } }
    }
}
