package import DuetJSON
import Yams

/// YAML as JSON, for files that are neither descriptions nor large.
package enum YAMLDocument {
    /// The value of a document.
    /// - Throws: ``DescriptionError`` for a text that is not YAML.
    package static func json(of text: String, file: String) throws -> JSONValue {
        try DescriptionReader(file: file).value(of: text)
    }
}
