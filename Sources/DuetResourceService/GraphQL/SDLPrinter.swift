import DuetGraphQL

/// Prints the GraphQL schema of a catalogue in the schema definition language.
struct SDLPrinter {
    let catalogue: Catalogue
    private var text = ""

    /// Returns the schema of a catalogue.
    static func schema(of catalogue: Catalogue) -> String {
        var printer = SDLPrinter(catalogue: catalogue)
        printer.print()
        return printer.text + "\n" + CacheControl.directiveDefinitions + "\n" + CostModel.directiveDefinitions
    }

    private init(catalogue: Catalogue) {
        self.catalogue = catalogue
    }

    // MARK: Text

    /// Appends a description and the definition that it describes.
    mutating func define(_ description: String, _ head: String, _ members: [String]) {
        text += "\(text.isEmpty ? "" : "\n")\(Self.described(description, head, indentation: "")) {\n"
        text += members.joined(separator: "\n") + "\n}\n"
    }

    static func described(_ description: String, _ definition: String, indentation: String = "  ") -> String {
        indentation + StringPrinter.literal(description) + "\n" + indentation + definition
    }

    /// Returns the definition of a field, with each argument on a separate line.
    static func field(
        _ description: String, _ name: String, _ arguments: [String], _ type: String, _ directives: String = ""
    ) -> String {
        let list =
            arguments.isEmpty
            ? "" : "(\n" + arguments.map { "  " + $0.replacing("\n", with: "\n  ") }.joined(separator: "\n") + "\n  )"
        return described(description, "\(name)\(list): \(type)\(directives.isEmpty ? "" : " " + directives)")
    }

    // MARK: Schema

    private mutating func print() {
        let operations = "  query: Query" + (catalogue.writes.isEmpty ? "" : "\n  mutation: Mutation")
        define(catalogue.description, "schema", [operations])
        text += """

            \(scalars)
            "Delivers the fields of a fragment later, in a separate part of the response, if the client accepts parts."
            directive @defer(
              "True to deliver the fields later."
              if: Boolean! = true
              "The name of the part."
              label: String
            ) on FRAGMENT_SPREAD | INLINE_FRAGMENT

            "Delivers the items of a list later, in separate parts of the response. The server reads lists as a whole, so it delivers all items at once."
            directive @stream(
              "True to deliver the items later."
              if: Boolean! = true
              "The name of the parts."
              label: String
              "The number of items in the first part."
              initialCount: Int! = 0
            ) on FIELD

            """
        define("The data that can be read.", "type Query", catalogue.resources.flatMap(rootFields))
        for resource in catalogue.resources { print(resource) }
        printChoices()
        let pages = catalogue.resources.filter { $0.isPaged || catalogue.hasPages(of: $0) }
        for resource in pages { printConnection(of: resource) }
        if !pages.isEmpty { printPageInfo() }
        printOperators()
        printMutations()
    }

    /// The definitions of the custom scalars that are types of fields.
    private var scalars: String {
        CustomScalar.used(by: catalogue).map(\.definition).joined(separator: "\n")
    }

    private func rootFields(of resource: Resource) -> [String] {
        var fields: [String] = []
        if resource.hasItems {
            let arguments = resource.itemArguments.map { name, field in
                Self.described(field.description, "\(name): \(name == "id" ? "ID" : field.type.graphQLName)!")
            }
            fields.append(
                Self.field(
                    "One \(resource.singular), by its key; null if it does not exist.", resource.singular, arguments,
                    resource.type))
        }
        switch resource.collection {
        case .none: break
        case .few(let typical):
            fields.append(
                Self.field(
                    "All \(resource.name), by default ordered by their keys.", resource.name,
                    listArguments(of: resource, size: nil), "[\(resource.type)!]", Self.listSize(typical)))
        case .pages(let size):
            fields.append(
                Self.field(
                    "The \(resource.name) in pages.", resource.name,
                    listArguments(of: resource, size: size), "\(resource.type)Connection",
                    Self.pageSize(resource)))
        }
        return fields
    }

    private static func pageSize(_ resource: Resource) -> String {
        let fields = resource.hasKey ? "\"edges\", \"nodes\"" : "\"nodes\""
        return "@listSize(slicingArguments: [\"first\"], sizedFields: [\(fields)])"
    }

    private static func listSize(_ typical: Int) -> String {
        "@listSize(assumedSize: \(typical), slicingArguments: [\"first\"], requireOneSlicingArgument: false)"
    }

    /// Returns the arguments of a field whose value is a list.
    /// - Parameter size: The default size of a page; nil for a list without pages.
    private func listArguments(of resource: Resource, size: Int?, isRelation: Bool = false) -> [String] {
        var arguments: [String] = []
        if isRelation {
            for filter in resource.filters {
                if case .flag = filter.meaning {
                    arguments.append(Self.described(filter.description, "\(filter.name): Boolean"))
                }
            }
        }
        let maximum = ResourceService.maximumPageSize
        if let size {
            arguments.append(
                Self.described("The maximum number of rows on the page, 1 to \(maximum).", "first: Int! = \(size)"))
            if resource.hasKey {
                arguments.append(
                    Self.described(
                        "The `endCursor` of the previous page of the same list, with the same filter and order.",
                        "after: String"))
            }
        } else {
            arguments.append(
                Self.described("The maximum number of rows, 1 to \(maximum); by default, all rows.", "first: Int"))
        }
        arguments.append(
            Self.described(
                "A condition that the rows must satisfy. The default is all rows.", "filter: \(resource.type)Filter"))
        if !resource.sortFields.isEmpty {
            if size != nil, !isRelation {
                arguments.append(
                    Self.described(
                        "The sort order by one field. For several fields, use `orderBy`.", "sort: \(resource.type)Sort")
                )
            }
            arguments.append(
                Self.described(
                    "The sort order. Rows with equal values are \(resource.hasKey ? "sorted by the key" : "in an arbitrary order"). NULL is the smallest value.",
                    "orderBy: [\(resource.type)Sort!]"))
        }
        return arguments
    }

    // MARK: Resources

    private mutating func print(_ resource: Resource) {
        var members: [String] = []
        if resource.hasIdentifier {
            members.append(Self.described("The key as a text, unique among \(resource.name).", "id: ID!"))
        }
        for field in resource.fields {
            // A JSON value can be `null` even in a column that is not nullable.
            members.append(
                Self.described(
                    field.description,
                    "\(field.name): \(field.type.graphQLName)\(field.isNullable || field.type == .json ? "" : "!")"))
        }
        members += resource.relations.map(relation)
        define(resource.description, "type \(resource.type) @cacheControl(maxAge: \(resource.maxAge))", members)
        printFilter(of: resource)
        if !resource.sortFields.isEmpty { printSort(of: resource) }
    }

    private func relation(_ relation: Relation) -> String {
        guard let target = catalogue[relation.target] else { return "" }
        switch relation.size {
        case .one(let isOptional):
            return Self.described(relation.description, "\(relation.name): \(target.type)\(isOptional ? "" : "!")")
        case .few(let typical):
            return Self.field(
                relation.description, relation.name, listArguments(of: target, size: nil, isRelation: true),
                "[\(target.type)!]!", Self.listSize(typical))
        case .many(let size):
            return Self.field(
                relation.description, relation.name, listArguments(of: target, size: size, isRelation: true),
                "\(target.type)Connection!", Self.pageSize(target))
        }
    }

    private mutating func printConnection(of resource: Resource) {
        let type = resource.type
        let edges = resource.hasKey ? [Self.described("The rows with their cursors.", "edges: [\(type)Edge!]!")] : []
        define(
            resource.hasKey
                ? "A page of \(resource.name) (Relay cursor connections specification)."
                : "The first rows of \(resource.name), which has no key and therefore no cursors.",
            "type \(type)Connection @cacheControl(maxAge: \(resource.maxAge))",
            edges + [
                Self.described("The rows without cursors.", "nodes: [\(type)!]!"),
                Self.described("The position of the page in its list.", "pageInfo: PageInfo!"),
                Self.described(
                    "The number of rows on all pages. The rows are counted only if this field is selected.",
                    "totalCount: Int! @cost(weight: \"4000\")"),
            ])
        guard resource.hasKey else { return }
        define(
            "A row of a page of \(resource.name).", "type \(type)Edge @cacheControl(inheritMaxAge: true)",
            [
                Self.described("The row's position in the list, for the argument `after`.", "cursor: String!"),
                Self.described("The row.", "node: \(type)!"),
            ])
    }

    private mutating func printPageInfo() {
        define(
            "The position of a page in its list.",
            "type PageInfo @cacheControl(inheritMaxAge: true) @cost(weight: \"0\")",
            [
                Self.described("True if there are rows after this page.", "hasNextPage: Boolean!"),
                Self.described(
                    "True if `after` was given, so that there may be rows before this page.",
                    "hasPreviousPage: Boolean!"),
                Self.described("The cursor of the first row; null on an empty page.", "startCursor: String"),
                Self.described("The cursor of the last row; null on an empty page.", "endCursor: String"),
            ])
    }

    private mutating func printChoices() {
        var seen: Set<String> = []
        for field in catalogue.resources.flatMap(\.fields) {
            guard case .choice(let choice) = field.type, seen.insert(choice.name).inserted else { continue }
            define(
                choice.description, "enum \(choice.name)", choice.values.map { Self.described($0.description, $0.name) }
            )
        }
    }

    // MARK: Filters and orders

    private mutating func printFilter(of resource: Resource) {
        let type = "\(resource.type)Filter"
        var members = [
            Self.described("All of these hold.", "and: [\(type)!]"),
            Self.described("At least one of these holds.", "or: [\(type)!]"),
            Self.described("This condition must not hold.", "not: \(type)"),
        ]
        for filter in resource.filters {
            let type = catalogue.field(of: filter, resource)?.type.graphQLName ?? "Boolean"
            members.append(Self.described(filter.description, "\(filter.name): \(type)"))
        }
        for field in resource.fields {
            members.append(Self.described(field.description, "\(field.name): \(field.type.graphQLName)Filter"))
        }
        for relation in resource.relations {
            guard let target = catalogue[relation.target] else { continue }
            members.append(
                Self.described(
                    relation.description,
                    "\(relation.name): \(target.type)\(relation.isToMany ? "ListFilter" : "Filter")"))
        }
        define("A condition on \(resource.name). All given members must hold.", "input \(type)", members)
        guard catalogue.hasLists(of: resource) else { return }
        define(
            "A condition on the \(resource.name) that belong to a row.", "input \(resource.type)ListFilter",
            [
                Self.described("At least one of the rows satisfies this.", "some: \(type)"),
                Self.described("None of the rows satisfies this.", "none: \(type)"),
            ])
    }

    private mutating func printSort(of resource: Resource) {
        define(
            "An order of \(resource.name).", "input \(resource.type)Sort",
            [
                Self.described("The field.", "field: \(resource.type)SortField!"),
                Self.described("The direction.", "direction: SortDirection! = ASCENDING"),
            ])
        define(
            "The fields that \(resource.name) can be sorted by.", "enum \(resource.type)SortField",
            resource.sortFields.map { name in
                Self.described(resource.field(name)?.description ?? name, name.screamingSnakeCase)
            })
    }

    private mutating func printOperators() {
        if catalogue.resources.contains(where: { !$0.sortFields.isEmpty }) {
            define(
                "A direction of sorting.", "enum SortDirection",
                [
                    Self.described("The smallest value comes first.", "ASCENDING"),
                    Self.described("The greatest value comes first.", "DESCENDING"),
                ])
        }
        var seen: Set<String> = []
        for field in catalogue.resources.flatMap(\.fields) where seen.insert(field.type.graphQLName).inserted {
            let type = field.type.graphQLName
            define(
                "A condition on a field. All given members must hold. If the field is null, no comparison holds.",
                "input \(type)Filter",
                field.type.comparisons.map { comparison in
                    Self.described(
                        comparison.description, "\(comparison.rawValue): \(comparison == .in ? "[\(type)!]" : type)")
                } + [Self.described("True if the value is null, false if it is not null.", "null: Boolean")])
        }
    }
}

extension Comparison {
    /// A sentence for the documentation.
    var description: String {
        switch self {
        case .equal: "Equal to this."
        case .notEqual: "Not equal to this."
        case .less: "Less than this."
        case .lessOrEqual: "Less than or equal to this."
        case .greater: "Greater than this."
        case .greaterOrEqual: "Greater than or equal to this."
        case .like: "Matches this pattern: `*` matches any characters, and `\\*` an asterisk. Case matters."
        case .in: "Equal to one of these."
        }
    }
}

extension FieldType {
    /// The name of the GraphQL type.
    var graphQLName: String {
        switch self {
        case .integer(let range):
            Self.wholeNumbers.contains(range.lowerBound) && Self.wholeNumbers.contains(range.upperBound)
                ? "Int" : "SafeInt"
        case .bigInteger: "BigInt"
        case .number: "Float"
        case .decimal: "Decimal"
        case .boolean: "Boolean"
        case .text: "String"
        case .date: "Date"
        case .dateTime(let isUTC, _): isUTC ? "DateTime" : "LocalDateTime"
        case .time: "Time"
        case .binary: "Base64"
        case .json: "JSON"
        case .uuid: "UUID"
        case .any: "Any"
        case .identifier: "ID"
        case .choice(let choice): choice.name
        }
    }
}

extension Resource {
    /// The arguments of the root field that returns one row. If the key has one field, and no other field is named
    /// `id`, the only argument is `id`. Otherwise, each field of the key has an argument.
    package var itemArguments: [(name: String, field: Field)] {
        let fields = keyFields
        let isIdentifier = fields.count == 1 && (fields[0].name == "id" || field("id") == nil)
        return isIdentifier ? [("id", fields[0])] : fields.map { ($0.name, $0) }
    }
}

extension String {
    /// The name in upper case with underscores: `HIRE_DATE` for `hireDate`.
    var screamingSnakeCase: String {
        var text = ""
        for character in self {
            if character.isUppercase, !text.isEmpty { text += "_" }
            text += character.uppercased()
        }
        return text
    }
}
