import DuetHTTPSemantics
import HTTPTypes

/// The links of a response (`Link`, RFC 8288 §3).
enum LinkField {
    /// Returns the target of the first link with the relation type. The target is not resolved: it may be relative.
    static func target(relation: String, in fields: HTTPFields) -> String? {
        for var value in fields[values: .link] {
            if let target = value.withUTF8({ Self.target(relation: relation, in: FieldValueScanner($0)) }) {
                return target
            }
        }
        return nil
    }

    private static func target(relation: String, in scanner: FieldValueScanner) -> String? {
        var scanner = scanner
        while !scanner.isAtEnd {
            guard let link = Self.link(&scanner) else { break }
            if link.relations.contains(where: { $0.lowercased() == relation.lowercased() }) { return link.target }
        }
        return nil
    }

    private static func link(_ scanner: inout FieldValueScanner) -> (target: String, relations: [Substring])? {
        while scanner.consume(.comma) || scanner.consume(.space) || scanner.consume(.tab) {}
        guard scanner.consume(UInt8(ascii: "<")) else { return nil }
        let target = scanner.text(until: ">")
        guard scanner.consume(UInt8(ascii: ">")) else { return nil }
        var relations: [Substring]?
        scanner.skipWhitespace()
        while scanner.consume(.semicolon) {
            scanner.skipWhitespace()
            let name = scanner.text(until: "=;,")
            guard scanner.consume(.equals) else { continue }
            scanner.skipWhitespace()
            let value = scanner.value(until: ";,")
            // §3.3: only the first `rel` parameter is used.
            if name.lowercased() == "rel", relations == nil { relations = value.split(separator: " ") }
            scanner.skipWhitespace()
        }
        return (target, relations ?? [])
    }
}
