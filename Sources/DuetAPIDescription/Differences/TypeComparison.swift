import DuetResourceService
import DuetResultSetJSON

/// Compares the types of a field in two descriptions.
enum TypeComparison {
    /// A change of a type. The text is the predicate of a sentence about the field.
    struct Change {
        let isBreaking: Bool
        let text: String
    }

    static func changes(from old: FieldType, to new: FieldType) -> [Change] {
        guard old != new else { return [] }
        guard old.typeName == new.typeName else {
            return [Change(isBreaking: true, text: "is \(new.noun), not \(old.noun)")]
        }
        switch (old, new) {
        case (.integer(let old), .integer(let new)):
            let isNarrower = new.lowerBound > old.lowerBound || new.upperBound < old.upperBound
            return [
                Change(
                    isBreaking: isNarrower,
                    text:
                        "has numbers from \(new.lowerBound) to \(new.upperBound), not from \(old.lowerBound) to \(old.upperBound)"
                )
            ]
        case (.bigInteger(_, let old), .bigInteger(_, let new)): return form(old, new)
        case (.decimal(let scale, let old), .decimal(let other, let new)):
            let scales = Change(
                isBreaking: other < scale, text: "has at least \(other) digits after the point, not \(scale)")
            return form(old, new) + (scale == other ? [] : [scales])
        case (.text(let old), .text(let new)): return [length(old, new)]
        case (.identifier(let old), .identifier(let new)): return [length(old, new)]
        case (.dateTime(_, let old), .dateTime(_, let new)):
            return [Change(isBreaking: false, text: "is stored in the form \(new.rawValue), not \(old.rawValue)")]
        case (.choice(let old), .choice(let new)): return choice(old, new)
        default: return []
        }
    }

    private static func form(_ old: FieldType.NumberForm, _ new: FieldType.NumberForm) -> [Change] {
        old == new ? [] : [Change(isBreaking: true, text: "is a JSON \(new.rawValue), not a \(old.rawValue)")]
    }

    private static func length(_ old: Int?, _ new: Int?) -> Change {
        func text(_ length: Int?) -> String { length.map { "at most \($0) characters" } ?? "any number of characters" }
        return Change(isBreaking: (new ?? .max) < (old ?? .max), text: "has \(text(new)), not \(text(old))")
    }

    private static func choice(_ old: Choice, _ new: Choice) -> [Change] {
        var changes: [Change] = []
        if old.name != new.name {
            changes.append(Change(isBreaking: true, text: "is the enum \(new.name), not \(old.name)"))
        }
        let (oldNames, newNames) = (old.values.map(\.name), new.values.map(\.name))
        for name in oldNames where !newNames.contains(name) {
            changes.append(Change(isBreaking: true, text: "no longer has the value \(name)"))
        }
        for name in newNames where !oldNames.contains(name) {
            changes.append(Change(isBreaking: false, text: "has the new value \(name)"))
        }
        return changes
    }
}
