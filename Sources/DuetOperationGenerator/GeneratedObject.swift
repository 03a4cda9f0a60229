import DuetGraphQL

/// The content of a structure that is generated for a selection set.
struct GeneratedObject {
    /// The name of the structure.
    var name: String
    /// The name of the object type; `nil` for the root object of an operation. It is also `nil` for an interface or a
    /// union, because the object type is known only from a response.
    var typeName: String?
    /// The description of the type in the schema.
    var description: String?
    var members: [Member] = []

    /// A property.
    struct Member {
        /// The kind of value that a property has.
        enum Content {
            /// A field without a selection set.
            case leaf
            /// A field with a selection set, and the structure for this set.
            case object(GeneratedObject)
            /// A fragment spread. The structure of the fragment is declared separately.
            case fragment
            /// The fields that are selected only for objects of a certain type, as a structure.
            case typeCase(GeneratedObject)
        }

        /// The name of the property, without backticks.
        var property: String
        var swiftType: String
        /// The decoder call that reads the value of the property.
        var read: String
        /// The response name of a field. It is `nil` for fragments and type cases, because their fields belong to the
        /// object itself.
        var responseName: String?
        var content: Content
        var description: String?
        var deprecationReason: String?
    }
}

/// A directive `@include` or `@skip` whose condition is a variable.
struct InclusionCondition: Hashable {
    let variable: String
    let selects: Bool

    /// Returns the conditions of a selection; `nil` if the selection is always excluded.
    static func conditions(of directives: NodeList<Directive>) -> [InclusionCondition]? {
        var conditions: [InclusionCondition] = []
        for directive in directives {
            guard directive.name.value == "include" || directive.name.value == "skip",
                let value = directive.arguments.first(where: { $0.name.value == "if" })?.value
            else { continue }
            let selects = directive.name.value == "include"
            switch value.kind {
            case .boolean(let constant): if constant != selects { return nil }
            case .variable(let name):
                let condition = InclusionCondition(variable: name.value, selects: selects)
                if !conditions.contains(condition) { conditions.append(condition) }
            default: continue
            }
        }
        return conditions
    }

    /// Returns the argument `conditions:` of a decoder call; `nil` if there are no conditions.
    static func argument(_ conditions: [InclusionCondition]) -> String? {
        guard !conditions.isEmpty else { return nil }
        let list = conditions.map {
            "FieldCondition(variable: \(SwiftLiteral.string($0.variable)), selects: \($0.selects))"
        }
        return "conditions: [\(list.joined(separator: ", "))]"
    }
}
