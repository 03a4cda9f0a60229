import DuetGraphQL

/// The properties of the generated structure for a selection set.
struct ObjectShape {
    /// The name of the structure.
    var name: String
    /// The object type, if it is known without a response; `nil` for interfaces, unions and root types.
    var typeName: String?
    /// The description of the type in the schema.
    var description: String?
    var members: [Member] = []

    /// A property.
    struct Member {
        /// The value of a property.
        enum Content {
            /// A field without a selection set.
            case leaf
            /// A field with the structure of its selection set.
            case object(ObjectShape)
            /// The structure of a fragment, which is declared separately.
            case fragment
            /// The fields that are selected only for objects of a certain type.
            case typeCase(ObjectShape)
        }

        /// The name of the property, without backticks.
        var property: String
        var swiftType: String
        /// The decoder call that reads the property.
        var read: String
        /// The response name of a field; `nil` for fragments and type cases, whose fields belong to the object.
        var responseName: String?
        var content: Content
        var description: String?
        var deprecationReason: String?
    }
}

/// A directive `@include` or `@skip` with a variable.
struct Condition: Hashable {
    let variable: String
    let selects: Bool

    /// Returns the conditions of a selection; `nil` if it is never selected.
    static func conditions(of directives: NodeList<Directive>) -> [Condition]? {
        var conditions: [Condition] = []
        for directive in directives {
            guard directive.name.value == "include" || directive.name.value == "skip",
                let value = directive.arguments.first(where: { $0.name.value == "if" })?.value
            else { continue }
            let selects = directive.name.value == "include"
            switch value.kind {
            case .boolean(let constant): if constant != selects { return nil }
            case .variable(let name):
                let condition = Condition(variable: name.value, selects: selects)
                if !conditions.contains(condition) { conditions.append(condition) }
            default: continue
            }
        }
        return conditions
    }

    /// Returns the argument `conditions:` of a decoder call; `nil` without conditions.
    static func argument(_ conditions: [Condition]) -> String? {
        guard !conditions.isEmpty else { return nil }
        let list = conditions.map {
            "FieldCondition(variable: \(SwiftLiteral.string($0.variable)), selects: \($0.selects))"
        }
        return "conditions: [\(list.joined(separator: ", "))]"
    }
}
