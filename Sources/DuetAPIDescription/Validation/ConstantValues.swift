import DuetResourceService
import DuetSQLDatabase

/// The fields whose values are known, because a condition requires these values or because a change sets them.
struct ConstantValues {
    private var values: [String: SQLValue] = [:]

    /// Finds the fields for which a condition permits only one value.
    init(_ condition: Filter) {
        add(condition)
    }

    private mutating func add(_ condition: Filter) {
        switch condition {
        case .compare(let name, .equal, let operands):
            if case .value(let value)? = operands.first { values[name] = value }
        case .all(let filters): for filter in filters { add(filter) }
        default: break
        }
    }

    /// Returns the values after a change that sets fields. A request can set each of the other fields, so only the
    /// fields of the change are known.
    func setting(_ set: [String: Operand]) -> ConstantValues {
        var changed = self
        changed.values = [:]
        for case (let name, .value(let value)) in set { changed.values[name] = value }
        return changed
    }

    /// Returns true if no row with the values can satisfy a condition. False if this is unknown.
    func exclude(_ condition: Filter) -> Bool {
        switch condition {
        case .compare(let name, .equal, let operands):
            guard let value = values[name], case .value(let other)? = operands.first else { return false }
            return Self.differ(value, other)
        case .compare(let name, .in, let operands):
            guard let value = values[name] else { return false }
            return operands.allSatisfy { operand in
                if case .value(let other) = operand { Self.differ(value, other) } else { false }
            }
        case .compare(let name, _, _), .isNull(let name, false):
            guard case .null? = values[name] else { return false }
            return true
        case .isNull(let name, true):
            guard let value = values[name] else { return false }
            return value != .null
        case .all(let filters):
            // The parts of a conjunction can exclude each other.
            var known = ConstantValues(condition)
            known.values.merge(values) { $1 }
            return filters.contains { exclude($0) || known.values != values && known.exclude($0) }
        case .any(let filters): return filters.allSatisfy(exclude)
        case .related(_, exists: true, let filter): return filter.matchesNothing
        case .not, .related, .aggregate: return false
        }
    }

    /// Returns true if two values differ in each collation. Texts that differ only in case, spaces or characters
    /// outside ASCII are equal in some collations.
    private static func differ(_ first: SQLValue, _ second: SQLValue) -> Bool {
        switch (first, second) {
        case (.null, _), (_, .null): return true
        case (.integer(let first), .integer(let second)): return first != second
        case (.date(let first), .date(let second)): return first != second
        case (.text(let first), .text(let second)):
            guard (first + second).utf8.allSatisfy({ $0 < 0x80 }) else { return false }
            return first.lowercased().filter { $0 != " " } != second.lowercased().filter { $0 != " " }
        default: return false
        }
    }
}
