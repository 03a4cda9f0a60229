import DuetGraphQL
import DuetJSON
import SeededTesting

/// Generates valid queries from random numbers. The same seed gives the same query.
///
/// Each response name of a type has the same field and arguments in the whole query, so that fields can be merged
/// everywhere, inside and outside of fragments.
struct QueryGenerator {
    /// A query and the variables of successive requests.
    struct Query: Sendable {
        let text: String
        let variables: [JSONValue]
        /// The requested fields, with their types, for example `Employee.titles`.
        let fields: Set<String>
    }

    /// The arguments of a field, and the approximate number of objects that the field then returns.
    private struct Use {
        let arguments: String
        let objects: Int
    }

    /// An existing fragment, and the maximum number of parent objects for which the fragment is small enough.
    private struct Fragment {
        let name: String
        let type: String
        let objects: Int
    }

    private let schema: DuetGraphQL.Schema
    private let arguments: RandomArguments
    private var random: SplitMix64
    private var variables = RandomVariables()
    /// The uses of each field, by type and field.
    private var uses: [String: [Use]] = [:]
    /// The arguments of each response name of a type.
    private var keys: [String: String] = [:]
    private var fragments: [Fragment] = []
    private var definitions: [String] = []
    /// The maximum number of further selections.
    private var rest: Int

    private static let objectsAtMost = 200
    /// Returns false for a field that ``PlainSchema`` does not resolve: a list without a resolver, or aggregates.
    private static func isAsked(_ field: String) -> Bool {
        !["Query.titles", "Query.salaries", "Salary.department"].contains(field) && !field.hasSuffix("Aggregate")
            && !field.hasSuffix("Groups")
    }

    private init(_ schema: DuetGraphQL.Schema, _ arguments: RandomArguments, seed: UInt64) {
        self.schema = schema
        self.arguments = arguments
        random = SplitMix64(seed: seed)
        rest = 6 + random.below(64)
    }

    static func query(_ schema: DuetGraphQL.Schema, _ arguments: RandomArguments, seed: UInt64) -> Query {
        var generator = QueryGenerator(schema, arguments, seed: seed)
        guard let root = schema.rootType(for: .query) else { return Query(text: "", variables: [], fields: []) }
        let selections = generator.selections(of: root, depth: 6, objects: 1)
        let declarations = generator.variables.declarations
        let start = declarations.isEmpty && generator.random.chance(50) ? "" : "query Random\(declarations) "
        var parts = generator.definitions
        parts.insert(start + selections, at: generator.random.below(parts.count + 1))
        return Query(
            text: parts.joined(separator: "\n"), variables: generator.variables.values(&generator.random),
            fields: Set(generator.uses.keys))
    }

    /// Returns all fields that a query can request, with their types.
    static func fields(of schema: DuetGraphQL.Schema) -> Set<String> {
        var fields: Set<String> = []
        var open = schema.rootType(for: .query).map { [$0] } ?? []
        while let type = open.popLast() {
            for field in type.fields
            where isAsked("\(type.name).\(field.name)")
                && fields.insert("\(type.name).\(field.name)").inserted
            {
                if case .object(let object)? = schema[field.type] { open.append(object) }
            }
        }
        return fields
    }

    // MARK: Selections

    /// - Parameter objects: The approximate number of objects of the type at this position.
    private mutating func selections(of type: ObjectType, depth: Int, objects: Int) -> String {
        var parts: [String] = []
        repeat {
            rest -= 1
            switch random.below(10) {
            case 0:
                let condition = random.chance(50) ? " on \(type.name)" : ""
                let directives = directives()
                parts.append("...\(condition)\(directives) \(selections(of: type, depth: depth, objects: objects))")
            case 1: parts.append("...\(fragment(on: type, depth: depth, objects: objects))\(directives())")
            default: parts.append(field(of: type, depth: depth, objects: objects))
            }
        } while rest > 0 && parts.count < 12 && random.chance(75)
        return "{ \(parts.joined(separator: " ")) }"
    }

    /// Returns the name of an existing or a new fragment.
    private mutating func fragment(on type: ObjectType, depth: Int, objects: Int) -> String {
        let known = fragments.filter { $0.type == type.name && $0.objects >= objects }
        if random.chance(60), let fragment = random.element(of: known) { return fragment.name }
        let selections = selections(of: type, depth: depth, objects: objects)
        let name = "On\(type.name)\(fragments.count)"
        fragments.append(Fragment(name: name, type: type.name, objects: objects))
        definitions.append("fragment \(name) on \(type.name) \(selections)")
        return name
    }

    private mutating func field(of type: ObjectType, depth: Int, objects: Int) -> String {
        var leaves = ["__typename"]
        var links: [(name: String, type: ObjectType)] = []
        for field in type.fields where Self.isAsked("\(type.name).\(field.name)") {
            guard case .object(let object)? = schema[field.type] else {
                leaves.append(field.name)
                continue
            }
            if objects * RandomArguments.objects(of: "\(type.name).\(field.name)") <= Self.objectsAtMost {
                links.append((field.name, object))
            }
        }
        let wantsLink = depth > 0 && rest > 0 && random.chance(leaves.count == 1 ? 97 : 50)
        guard wantsLink, let link = random.element(of: links) else {
            let name = random.element(of: leaves) ?? "__typename"
            let key = key(of: name, of: type, use(of: name, of: type, limit: 1).arguments)
            return key + directives()
        }
        let (arguments, times) = use(of: link.name, of: type, limit: Self.objectsAtMost / objects)
        let head = key(of: link.name, of: type, arguments) + arguments + directives()
        return "\(head) \(selections(of: link.type, depth: depth - 1, objects: objects * times))"
    }

    /// Returns arguments for a field, which are often those of an earlier selection of the field.
    private mutating func use(of field: String, of type: ObjectType, limit: Int) -> (arguments: String, objects: Int) {
        let place = "\(type.name).\(field)"
        let known = (uses[place] ?? []).filter { $0.objects <= limit }
        if random.chance(40), let use = random.element(of: known) { return (use.arguments, use.objects) }
        let (text, objects) = arguments.arguments(of: place, &variables, &random, limit: limit)
        if uses[place]?.contains(where: { $0.arguments == text }) != true {
            uses[place, default: []].append(Use(arguments: text, objects: objects))
        }
        return (text, objects)
    }

    /// Returns the field's name. An alias precedes the name if the field has other arguments elsewhere in the query,
    /// and sometimes at random.
    private mutating func key(of field: String, of type: ObjectType, _ arguments: String) -> String {
        let meaning = field + arguments
        var candidates = random.chance(75) ? [field] : []
        candidates += ["a\(random.below(4))", random.element(of: type.fields)?.name ?? "b", "k\(keys.count)"]
        for key in candidates where keys["\(type.name).\(key)", default: meaning] == meaning {
            keys["\(type.name).\(key)"] = meaning
            return key == field ? field : "\(key): \(field)"
        }
        return field
    }

    /// Returns `@skip` and `@include` in some cases.
    private mutating func directives() -> String {
        var text = ""
        for name in ["skip", "include"] where random.chance(8) {
            let value = Value.bool(random.chance(50))
            let condition = variables.text(
                of: value, "Boolean", isNullable: false, others: [true, false], &random)
            text += " @\(name)(if: \(condition))"
        }
        return text
    }
}
