/// The definition of a view, as MariaDB stores it: names are in backticks, and those of tables have the name of their
/// database before them.
struct ViewDefinition {
    private let text: String

    init(_ text: String) { self.text = text }

    /// Returns the names of tables and views that the definition may read.
    /// - Parameters:
    ///   - database: The database of the view.
    ///   - tablesOfDatabase: The tables and views of this database.
    /// - Returns: nil if the definition is not known, if it reads another database, or if it calls a function that may
    ///   read further tables.
    func tables(of database: String, among tablesOfDatabase: Set<String>) -> Set<String>? {
        guard !text.isEmpty else { return nil }
        let known = Dictionary(tablesOfDatabase.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        var tables: Set<String> = []
        /// The names of tables, aliases and columns. The name before a column is one of them.
        var names: Set<String> = []
        var qualifiers: Set<String> = []
        var rest = text[...].utf8
        /// The names in backticks that dots separate.
        var path: [String] = []
        var isAfterDot = false
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "`"):
                let name = Self.quoted(&rest)
                path = isAfterDot ? path + [name] : [name]
                isAfterDot = false
                if path.count == 1, rest.first != UInt8(ascii: ".") { names.insert(name.lowercased()) }
                guard path.count == 2 else { continue }
                if path[0].lowercased() != database.lowercased() {
                    qualifiers.insert(path[0].lowercased())
                } else if let table = known[name.lowercased()] {
                    tables.insert(table)
                } else {
                    return nil
                }
            case UInt8(ascii: "'"): _ = Self.quoted(&rest)
            case UInt8(ascii: "("):
                if path.count == 2 { return nil }
                fallthrough
            default:
                isAfterDot = byte == UInt8(ascii: ".") && !path.isEmpty
                if !isAfterDot { path = [] }
                rest = rest.dropFirst()
            }
        }
        names.formUnion(tables.map { $0.lowercased() })
        return qualifiers.isSubset(of: names) ? tables : nil
    }

    /// Reads a text in quotes. In a text in single quotes, a backslash escapes the next byte.
    private static func quoted(_ rest: inout Substring.UTF8View) -> String {
        guard let quote = rest.popFirst() else { return "" }
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == quote {
                guard rest.first == quote else { break }
                _ = rest.popFirst()
            } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "'"), let next = rest.popFirst() {
                bytes.append(next)
                continue
            }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
