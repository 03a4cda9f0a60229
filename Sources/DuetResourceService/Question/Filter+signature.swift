import DuetSQLDatabase

extension Filter {
    /// A text that identifies the filter. Its format must not change, because cursors depend on it.
    var signature: String {
        switch self {
        case .compare(let field, let comparison, let operands):
            "\(field) \(comparison.rawValue) [\(operands.map(\.signature).joined(separator: ","))]"
        case .isNull(let field, let isNull): "\(field) null \(isNull)"
        case .all(let filters): "and(\(filters.map(\.signature).joined(separator: ";")))"
        case .any(let filters): "or(\(filters.map(\.signature).joined(separator: ";")))"
        case .not(let filter): "not(\(filter.signature))"
        case .related(let name, let exists, let filter): "\(name) \(exists ? "some" : "none")(\(filter.signature))"
        }
    }
}

extension Operand {
    /// A text that identifies the operand. The signatures of values begin with other letters than `p`.
    fileprivate var signature: String {
        switch self {
        case .value(let value): value.signature
        case .parameter(let name): "p\(name.utf8.count):\(name)"
        }
    }
}

extension SQLValue {
    /// A text that contains the type and the value. A text value is preceded by its length, so that signatures are
    /// unambiguous.
    var signature: String {
        switch self {
        case .text(let text): "t\(text.utf8.count):\(text)"
        case .integer, .unsigned: "i\(keyText)"
        case .decimal: "m\(keyText)"
        case .double: "n\(keyText)"
        case .date: "d\(keyText)"
        case .blob: "b\(keyText)"
        case .null: "0"
        }
    }
}
