package import DuetSQLDatabase

/// A text that a server computes from the key of a row, such as a picture. The path of the text is below the path of
/// the row: `/employees/{employeeNumber}/thumbnail`.
///
/// A program registers its representations with the server, which adds a route for each of them to the routes of the
/// catalogue.
package struct ItemRepresentation: Sendable {
    /// The name of the resource.
    package let resource: String
    /// The key fields of the resource. If the resource of a catalogue has another key, it has no such representation.
    package let key: [String]
    /// The last segment of the path.
    package let name: String
    /// The media type of the text.
    package let mediaType: String
    /// A one-line summary of the route.
    package let summary: String
    /// A longer description in Markdown for the documentation.
    package let description: String
    /// The description of the text in the documentation.
    package let content: String
    /// Returns the text for the key of an existing row.
    package let text: @Sendable (_ key: [SQLValue]) throws -> String

    /// Creates a representation.
    /// - Parameter text: Returns the text for the key of an existing row. It throws a ``ServiceError`` for a key that
    ///   cannot have the representation.
    package init(
        of resource: String, key: [String], _ name: String, mediaType: String, summary: String, description: String,
        content: String, text: @escaping @Sendable (_ key: [SQLValue]) throws -> String
    ) {
        self.resource = resource
        self.key = key
        self.name = name
        self.mediaType = mediaType
        self.summary = summary
        self.description = description
        self.content = content
        self.text = text
    }
}
