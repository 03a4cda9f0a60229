package import DuetJSON
import Yams

/// Converts YAML to JSON, for small files other than descriptions.
package enum YAMLDocument {
    /// Returns the value of a document.
    /// - Throws: ``DescriptionError`` if the text is not YAML.
    package static func json(of text: String, file: String) throws -> JSONValue {
        try DescriptionReader(file: file).value(of: text)
    }
}
