extension Catalogue {
    /// The names of the types that do not depend on the resources, in the GraphQL schema and in the OpenAPI document. A
    /// resource or an enumeration cannot have one of these names.
    package static let reservedTypeNames: Set<String> = {
        let scalars = ["Int", "Float", "String", "Boolean", "ID"] + CustomScalar.all.map(\.name)
        let schema = [
            "Query", "Mutation", "Subscription", "PageInfo", "SortDirection", "NDJSON", "CSV", "Problem",
            "ServerSentEvents",
        ]
        let aggregates = AggregateKind.allCases.map(\.functionType)
        let others = ["AggregateKeyPart"] + ["Distinct", "Count"].flatMap(typeNamesOfValues)
        let keys = scalars.flatMap { [$0 + "AggregateKey", $0 + "AggregateKeyPart"] }
        return Set(schema + scalars.flatMap(typeNamesOfValues) + aggregates + others + keys)
    }()

    /// Returns the names of the GraphQL types of the values of a scalar or of an enumeration.
    package static func typeNamesOfValues(of name: String) -> [String] {
        ["", "Filter", "Aggregate", "AggregateFilter"].map { name + $0 }
    }

    /// Returns the names of the types that are derived from the type name of a resource, in GraphQL and in OpenAPI.
    package static func derivedTypeNames(of type: String) -> [String] {
        ["", "Connection", "Edge", "Filter", "ListFilter", "Sort", "SortField", "Page", "Field"].map { type + $0 }
    }

    /// Returns the names of the GraphQL types of a resource's aggregates and groups.
    package static func typeNamesOfAggregates(of type: String) -> [String] {
        ["", "Group", "Connection", "Key", "KeyInput", "KeyFields", "KeyField", "Filter", "Input", "Order"]
            .map { "\(type)Aggregate\($0)" }
    }

    /// The names of the types that do not depend on the resources, if clients can make changes.
    package static let reservedTypeNamesOfWrites = Set(["UserError"] + UserError.Kind.allCases.map(\.rawValue))

    /// Returns the names of the types that are derived from the type name of a resource whose rows clients can write.
    package static func typeNamesOfWrites(of type: String) -> [String] {
        ["Create", "Update", "Upsert"].map { "\($0)\(type)Input" } + ["\(type)Payload"]
            + ["Update", "Delete"].map { "\($0)\(type)Payload" }
    }

    /// Returns the name of the GraphQL type of a mutation's payload.
    static func payloadType(of write: Write, _ resource: Resource) -> String {
        switch write.kind {
        case _ where write.link != nil: "\(resource.type)Payload"
        case .insert where write.isMany: "\(write.name.dropFirst("create".count))Payload"
        case _ where write.isMany: "\(write.name.capitalizedFirst)Payload"
        case .delete: "Delete\(resource.type)Payload"
        default: "\(resource.type)Payload"
        }
    }

    /// Checks that the type names of the schema are unique.
    func checkTypeNames() throws(CatalogueError) {
        var owners: [String: String] = [:]
        func claim(_ name: String, _ owner: String, _ path: [String]) throws(CatalogueError) {
            guard !Self.reservedTypeNames.contains(name) else {
                throw CatalogueError(
                    "\(owner): the type \(name) is part of every schema; choose another name", at: path)
            }
            if let other = owners.updateValue(owner, forKey: name), other != owner {
                throw CatalogueError("\(other) and \(owner) both have a type \(name); rename one of them", at: path)
            }
        }
        for resource in resources {
            let aggregates =
                resource.isAggregated || isGroupTarget(resource) ? Self.typeNamesOfAggregates(of: resource.type) : []
            for name in Self.derivedTypeNames(of: resource.type) + aggregates {
                try claim(name, resource.name, [resource.name, "type"])
            }
        }
        for write in writes where write.origin == .derived && write.hasMutation {
            guard let resource = self[write.resource] else { continue }
            for name in [write.inputType, Self.payloadType(of: write, resource)]
            where write.hasInput || name != write.inputType {
                try claim(name, resource.name, [resource.name, "type"])
            }
        }
        for nested in nestedInputTypes { try claim(nested.name, nested.owner, [nested.owner, "type"]) }
        var choices: [String: Choice] = [:]
        for resource in resources {
            for field in resource.fields {
                guard case .choice(let choice) = field.type else { continue }
                let path = [resource.name, "fields", field.name]
                if let other = choices.updateValue(choice, forKey: choice.name) {
                    guard other == choice else {
                        throw CatalogueError("two enumerations are called \(choice.name)", at: path)
                    }
                    continue
                }
                for name in Self.typeNamesOfValues(of: choice.name) {
                    try claim(name, "the enumeration \(choice.name)", path)
                }
                var values: Set<String> = []
                for value in choice.values {
                    guard value.name.isName, !["true", "false", "null"].contains(value.name),
                        !value.name.hasPrefix("__")
                    else {
                        throw CatalogueError(
                            "\(choice.name): \"\(value.name)\" is not a GraphQL name; describe the field as text",
                            at: path)
                    }
                    guard values.insert(value.name).inserted else {
                        throw CatalogueError("\(choice.name): two values are called \(value.name)", at: path)
                    }
                }
            }
        }
    }
}

extension String {
    /// True if the string is a GraphQL name: it consists of ASCII letters, digits and underscores, and does not begin
    /// with a digit (GraphQL specification, section 2.1.8).
    ///
    /// The implementation uses no regular expression, because the server checks thousands of names when it starts.
    var isName: Bool {
        func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_") }
        guard let first = utf8.first, isLetter(first) else { return false }
        return utf8.allSatisfy { isLetter($0) || $0 &- UInt8(ascii: "0") < 10 }
    }
}
