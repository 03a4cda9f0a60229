import HTTPTypes

/// The links of a response (`Link`, RFC 8288 §3).
enum LinkField {
    /// Returns the target of the first link with the relation type. The target is not resolved: it may be relative.
    static func target(relation: String, in fields: HTTPFields) -> String? {
        for value in fields[values: .link] {
            var scanner = FieldScanner(value)
            while !scanner.isAtEnd {
                guard let link = Self.link(&scanner) else { break }
                if link.relations.contains(where: { $0.lowercased() == relation.lowercased() }) { return link.target }
            }
        }
        return nil
    }

    private static func link(_ scanner: inout FieldScanner) -> (target: String, relations: [Substring])? {
        while scanner.take(",") || scanner.take(" ") || scanner.take("\t") {}
        guard scanner.take("<") else { return nil }
        let target = scanner.text(until: ">")
        guard scanner.take(">") else { return nil }
        var relations: [Substring]?
        scanner.skipWhitespace()
        while scanner.take(";") {
            scanner.skipWhitespace()
            let name = scanner.text(until: "=;,")
            guard scanner.take("=") else { continue }
            scanner.skipWhitespace()
            let value = scanner.value(until: ";,")
            // §3.3: only the first `rel` parameter is used.
            if name.lowercased() == "rel", relations == nil { relations = value.split(separator: " ") }
            scanner.skipWhitespace()
        }
        return (target, relations ?? [])
    }
}
