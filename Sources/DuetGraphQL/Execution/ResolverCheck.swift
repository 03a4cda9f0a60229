/// Checks the resolvers of a schema before the first operation: each resolver belongs to a field, and each executable
/// field has a resolver.
///
/// Fields below a subtree resolver are not executed. Therefore, a type needs resolvers only if it is reachable through
/// fields without subtree resolvers.
struct ResolverCheck {
    /// The errors, in the order of the schema.
    private(set) var errors: [GraphQLError] = []
    private let resolvers: ResolverTable
    private let schema: Schema
    /// The types that are suggested for a misspelled name. Missing resolvers of these types are not reported as
    /// separate errors.
    private var suggestedTypes: Set<String> = []

    init(_ resolvers: ResolverTable, _ schema: Schema) {
        self.resolvers = resolvers
        self.schema = schema
        errors = resolvers.conflicts.sorted().map { GraphQLError($0) }
        checkNames()
        checkEnums()
        checkFields()
    }

    // MARK: - Resolvers without a field

    private mutating func checkNames() {
        for (typeName, fields) in resolvers.fields.sorted(by: { $0.key < $1.key }) {
            guard let type = schema.type(named: typeName), let known = type.fields else {
                addUnknownType(
                    typeName, "There are resolvers for \"\(typeName)\", which is not a type with fields."
                ) { $0.fields != nil }
                continue
            }
            for name in fields.keys.sorted() where known[name] == nil {
                errors.append(
                    GraphQLError(
                        "There is a resolver for \"\(typeName).\(name)\", which is not a field."
                            + Suggestions.didYouMean(name, among: known.map(\.name))))
            }
        }
        for name in resolvers.typeResolvers.keys.sorted() where schema.type(named: name)?.isAbstract != true {
            addUnknownType(name, "There is a type resolver for \"\(name)\", which is not an interface or a union.") {
                $0.isAbstract
            }
        }
        // The first loop has already reported the names in `fields` that are not types with fields.
        checkObjectTypes(
            resolvers.boundTypes.keys.filter { resolvers.fields[$0] == nil || schema.type(named: $0)?.fields != nil },
            "A Swift type is bound to")
        checkObjectTypes(resolvers.typeTests.keys, "There is a type test for")
        checkObjectTypes(resolvers.defaultResolvers.keys, "There is a default resolver for")
    }

    /// Adds an error for each name that is not the name of an object type.
    /// - Parameter subject: The beginning of the message, before the name.
    private mutating func checkObjectTypes(_ names: some Sequence<String>, _ subject: String) {
        for name in names.sorted() {
            if case .object? = schema.type(named: name) { continue }
            addUnknownType(name, "\(subject) \"\(name)\", which is not an object type.") { type in
                if case .object = type { true } else { false }
            }
        }
    }

    /// Adds an error for a name that is not the name of a type of the required kind.
    private mutating func addUnknownType(_ name: String, _ message: String, _ isOfKind: (NamedType) -> Bool) {
        let names = schema.types.filter { isOfKind($0) && !$0.name.hasPrefix("__") }.map(\.name)
        let nearest = Suggestions.nearest(to: name, among: names)
        suggestedTypes.formUnion(nearest)
        errors.append(GraphQLError(message + Suggestions.didYouMean(nearest)))
    }

    private mutating func checkEnums() {
        for (name, values) in resolvers.enumValues.sorted(by: { $0.key < $1.key }) {
            guard case .enum(let type)? = schema.type(named: name) else {
                addUnknownType(name, "A Swift enumeration is bound to \"\(name)\", which is not an enum.") { type in
                    if case .enum = type { true } else { false }
                }
                continue
            }
            let names = type.values.map(\.name)
            let unknown = values.filter { !names.contains($0) }
            let missing = names.filter { !values.contains($0) }
            if unknown.isEmpty, missing.isEmpty { continue }
            let differences =
                unknown.map { "the enum has no value \($0)" }
                + missing.map { "the Swift enumeration has no case for \($0)" }
            errors.append(
                GraphQLError(
                    "The Swift enumeration that is bound to \"\(name)\" has different names: \(differences.joined(separator: ", ")). The raw value of each case must be the name of an enum value."
                ))
        }
    }

    // MARK: - Fields without a resolver

    private mutating func checkFields() {
        var open = OperationType.allCases.compactMap { schema.rootType(for: $0) }
        var seen = Set(open.map(\.name))
        var abstracts: Set<String> = []
        var next = 0
        while next < open.count {
            let type = open[next]
            next += 1
            var missing: [String] = []
            for field in type.fields {
                guard let resolver = resolvers.resolver(of: field.name, on: type) else {
                    missing.append(field.name)
                    continue
                }
                checkEvents(field, of: type, resolver)
                if resolver.subtreeResolver != nil { continue }
                guard let output = schema[field.type], output.isComposite else { continue }
                let possible = schema.possibleTypes(of: output)
                if output.isAbstract, abstracts.insert(output.name).inserted { checkBindings(of: output, possible) }
                for object in possible where seen.insert(object.name).inserted { open.append(object) }
            }
            if !missing.isEmpty, !suggestedTypes.contains(type.name) {
                errors.append(missingResolvers(of: missing, type))
            }
        }
    }

    private func missingResolvers(of fields: [String], _ type: ObjectType) -> GraphQLError {
        let names = fields.map { "\"\($0)\"" }.joined(separator: ", ")
        let subject =
            fields.count == 1
            ? "The field \(names) of \"\(type.name)\" has" : "The fields \(names) of \"\(type.name)\" have"
        return GraphQLError("\(subject) no resolver. \(remedy(for: fields[0], type))")
    }

    /// Returns the sentence that says how to add a resolver to a field.
    private func remedy(for field: String, _ type: ObjectType) -> String {
        let byName =
            "or read fields by name from an ObjectValue or a FieldSource with resolvers.setDefaultResolver(for: \"\(type.name)\")."
        switch OperationType.allCases.first(where: { schema.rootType(for: $0)?.name == type.name }) {
        case .subscription: return "Add one that returns events, as in \(Self.eventsExample(field))."
        case .some(let root): return "Add one, as in resolvers.\(root.rawValue) { $0[\"\(field)\"] = … }, \(byName)"
        case nil: break
        }
        // A resolver has one source type. If two Swift types are bound, the resolver needs a common type of both.
        guard let bound = resolvers.boundTypes[type.name] else {
            return
                "Add one, as in resolvers.bind(\(type.name).self, to: \"\(type.name)\") { $0[\"\(field)\"] = .property(\\.\(field)) }, \(byName)"
        }
        guard bound.count == 1 else {
            return "Add one, as in resolvers[\"\(type.name)\", \"\(field)\"] = …, \(byName)"
        }
        return
            "Add one, as in resolvers.bind(\(bound[0]).self, to: \"\(type.name)\") { $0[\"\(field)\"] = .property(\\.\(field)) }, or conform \(bound[0]) to FieldSource."
    }

    private static func eventsExample(_ field: String) -> String {
        "resolvers.subscription { $0[\"\(field)\"] = .events { … } }"
    }

    private mutating func checkEvents(_ field: SchemaField, of type: ObjectType, _ resolver: ErasedResolver) {
        let isSubscription = schema.rootType(for: .subscription)?.name == type.name
        if case .events = resolver {
            guard !isSubscription else { return }
            errors.append(
                GraphQLError(
                    "The resolver of \"\(type.name).\(field.name)\" returns events, but the field is not a field of the subscription type."
                ))
        } else if isSubscription {
            errors.append(
                GraphQLError(
                    "The field \"\(field.name)\" of the subscription type \"\(type.name)\" needs a resolver that returns events, as in \(Self.eventsExample(field.name))."
                ))
        }
    }

    /// Checks that the object type of each object of an interface or a union can be determined.
    private mutating func checkBindings(of abstract: NamedType, _ possible: [ObjectType]) {
        guard resolvers.typeResolvers[abstract.name] == nil, resolvers.defaultResolver == nil else { return }
        let unknown = possible.map(\.name).filter { name in
            resolvers.boundTypes[name] == nil && resolvers.typeTests[name] == nil
                && resolvers.defaultResolvers[name] == nil
        }
        if unknown.isEmpty { return checkAmbiguousBindings(of: abstract, possible) }
        guard suggestedTypes.isDisjoint(with: unknown) else { return }
        let names = unknown.map { "\"\($0)\"" }.joined(separator: ", ")
        errors.append(
            GraphQLError(
                "No Swift type is bound to \(names), so the object type of a source for \"\(abstract.name)\" cannot be determined. Bind a Swift type, as in resolvers.bind(\(unknown[0]).self, to: \"\(unknown[0])\"), or return the name of the object type from resolvers.resolveType(of: \"\(abstract.name)\")."
            ))
    }

    /// Checks that no Swift type is bound to several possible types, unless each of these types has a type test.
    private mutating func checkAmbiguousBindings(of abstract: NamedType, _ possible: [ObjectType]) {
        var first: [ObjectIdentifier: String] = [:]
        for object in possible {
            // An ObjectValue can contain its type as __typename.
            for type in resolvers.boundTypes[object.name] ?? [] where type != ObjectValue.self {
                guard let other = first[ObjectIdentifier(type)] else {
                    first[ObjectIdentifier(type)] = object.name
                    continue
                }
                if resolvers.typeTests[other] != nil, resolvers.typeTests[object.name] != nil { continue }
                errors.append(
                    GraphQLError(
                        "The Swift type \(type) is bound to \"\(other)\" and \"\(object.name)\", which are both possible types of \"\(abstract.name)\", so the object type of a source cannot be determined. Return its name from resolvers.resolveType(of: \"\(abstract.name)\", from: \(type).self)."
                    ))
            }
        }
    }
}
