public import Foundation

extension Bundle {
    /// Returns the text of a GraphQL document in a file of the bundle.
    ///
    ///     static var source: String {
    ///         get throws(ModelError) { try Bundle.module.graphQLDocument(named: "Employee") }
    ///     }
    ///
    /// - Parameters:
    ///   - name: The name of the file without `.graphql`.
    ///   - subdirectory: The folder of the file in the bundle; `nil` for the top level.
    /// - Throws: ``ModelError`` with the code `invalidDocument` if the bundle has no such file, or the file is not
    ///   UTF-8.
    public func graphQLDocument(
        named name: String, subdirectory: String? = nil
    ) throws(ModelError) -> String {
        guard let url = url(forResource: name, withExtension: "graphql", subdirectory: subdirectory) else {
            throw ModelError(
                .invalidDocument,
                "The bundle \(bundleURL.lastPathComponent) has no file \(name).graphql. Add the file to the resources of the target."
            )
        }
        do {
            return try String(contentsOf: url, encoding: .utf8)
        } catch {
            throw ModelError(
                .invalidDocument, "The file \(name).graphql cannot be read as UTF-8: \(error.localizedDescription)")
        }
    }
}
