/// The default values of columns, as `pragma_table_xinfo` returns them.
enum SQLiteDefault {
    /// Returns the expression of a default value.
    ///
    /// In the definition of a column, a name is a text (`DEFAULT open`, `DEFAULT "open"`). In any other place, it is
    /// the name of a column.
    static func expression(_ definition: String) -> String {
        guard let first = definition.unicodeScalars.first else { return "NULL" }
        if let end = ends[first], definition.unicodeScalars.last == end, definition.unicodeScalars.count > 1 {
            let name = String(definition.dropFirst().dropLast())
            return literal(name.replacing("\(end)\(end)", with: "\(end)"))
        }
        let isName =
            (first.properties.isAlphabetic || first == "_")
            && definition.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_" || $0 == "$"
            }
        return isName && !keywords.contains(definition.uppercased()) ? literal(definition) : "(\(definition))"
    }

    /// The last character of a quoted name by its first character.
    private static let ends: [Unicode.Scalar: Unicode.Scalar] = ["\"": "\"", "`": "`", "[": "]"]
    private static let keywords = ["NULL", "TRUE", "FALSE", "CURRENT_TIME", "CURRENT_DATE", "CURRENT_TIMESTAMP"]

    private static func literal(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }
}
