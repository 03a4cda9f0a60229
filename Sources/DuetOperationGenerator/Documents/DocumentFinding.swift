package import DuetGraphQL

/// An error or a warning, with its locations in a file. It is printed in the format of compiler messages:
///
///     queries/employee.graphql:3:5: error: Cannot query field "salery" on type "Employee". Did you mean "salary"?
///         3 |     salery
///           |     ^
package struct DocumentFinding: CustomStringConvertible {
    package let source: Source
    package let message: String
    /// The locations of the error. The printed text shows the source line of the first location.
    package let locations: [SourceLocation]

    package init(_ error: GraphQLError, in source: Source) {
        self.init(error.message, at: error.locations, in: source)
    }

    package init(_ message: String, at locations: [SourceLocation], in source: Source) {
        self.source = source
        self.message = message
        self.locations = locations
    }

    package var description: String { text(as: "error") }

    /// Returns the location, the message and the source line.
    /// - Parameter severity: `error` or `warning`.
    package func text(as severity: String) -> String {
        guard let place = locations.first else { return "\(source.name): \(severity): \(message)" }
        var text = "\(source.name):\(place.line):\(place.column): \(severity): \(message)"
        if let line = Self.line(place.line, of: source) {
            let number = String(place.line)
            let margin = String(repeating: " ", count: max(0, 5 - number.count))
            // Copy tabs and replace all other characters by spaces, so that the marker is below the location.
            let before = String(line.utf16.prefix(place.column - 1)) ?? ""
            let blank = String(before.map { $0 == "\t" ? "\t" : " " })
            text +=
                "\n\(margin)\(number) | \(line)\n\(String(repeating: " ", count: margin.count + number.count)) | \(blank)^"
        }
        for other in locations.dropFirst().prefix(9) {
            text += "\n      also at \(source.name):\(other.line):\(other.column)"
        }
        return text
    }

    /// Returns a line of the source; `nil` if the line is too long or contains control characters.
    private static func line(_ number: Int, of source: Source) -> String? {
        let text = String(decoding: source.bytes, as: UTF8.self)
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
        guard lines.indices.contains(number - 1), lines[number - 1].utf8.count <= 500 else { return nil }
        let line = lines[number - 1]
        return line.unicodeScalars.allSatisfy { $0 == "\t" || $0.value >= 0x20 && $0.value != 0x7F }
            ? String(line) : nil
    }
}
