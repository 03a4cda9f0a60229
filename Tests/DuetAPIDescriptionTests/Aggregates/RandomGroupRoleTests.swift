import DuetAPIDescription
import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import ProcessTesting
import SeededTesting
import TestSupport
import Testing

/// Compares the aggregates that the callers of a random role receive with those of a server without roles, whose
/// database has only the rows and fields of the role.
@Suite("Random roles with aggregates") struct RandomGroupRoleTests {
    @Test(
        "Groups and aggregates of a random role have the bytes of a reduced database, and so have their errors",
        arguments: TestBackend.available)
    func equalBytes(_ backend: TestBackend) async throws {
        try await RandomRoleTwin.forEach(backend, seedOffset: 4_000) { role, whole, random in
            // The role has no right to the aggregates of one resource, or to those of none.
            let names = whole.catalogue.resources.map(\.name) + [""]
            let permissions = Self.permissions(role, withoutRight: names.randomElement(using: &random) ?? "")
            return (permissions, try Self.reduced(role, whole, permissions))
        } _: { twin in
            var random = twin.random
            for (request, isValid) in Self.requests(twin.whole, twin.reduced, &random) {
                let differences = try await twin.comparison.differences(request)
                #expect(differences == [])
                guard isValid else { continue }
                let answer = try await twin.twin.send(
                    request.body == nil ? "GET" : "POST", request.target, body: request.body)
                #expect(
                    answer.status == 200 && !answer.body.contains(#""errors""#),
                    "\(request.target) \(request.body ?? ""): \(answer.body)")
            }
        }
    }

    /// Returns the permissions of a role with the right to aggregates of all resources except one.
    private static func permissions(_ role: RandomRole, withoutRight: String) -> JSONObject {
        let members = role.permissions.members.map { member -> (key: String, value: JSONValue) in
            guard member.key != withoutRight, case .object(let read)? = member.value["read"] else {
                return (key: member.key, value: member.value)
            }
            let granted = read.members.map { (key: $0.key, value: $0.value) } + [(key: "aggregate", value: true)]
            return (key: member.key, value: ["read": .object(JSONObject(granted))])
        }
        return JSONObject(members)
    }

    /// Returns the part of the catalogue that the role sees.
    private static func reduced(
        _ role: RandomRole, _ whole: RandomModel, _ permissions: JSONObject
    ) throws -> Catalogue {
        let catalogue = try role.reduced(whole.catalogue)
        let resources = catalogue.resources.map { resource in
            var copy = resource
            copy.isAggregated = permissions[resource.name]?["read"]?["aggregate"] == true
            return copy
        }
        return try Catalogue(resources, description: catalogue.description)
    }

    // MARK: Requests

    /// Returns random requests. Those that the role may make are valid.
    private static func requests(
        _ whole: RandomModel, _ reduced: Catalogue, _ random: inout SplitMix64
    ) -> [(request: AnswerComparison.Request, isValid: Bool)] {
        let visible = RandomModel(schema: whole.schema, catalogue: reduced)
        var requests: [(request: AnswerComparison.Request, isValid: Bool)] = []
        for number in 0..<14 {
            // The last requests use the hidden parts, too.
            let model = number < 9 ? visible : whole
            guard let resource = model.catalogue.resources.randomElement(using: &random) else { continue }
            let groups = NamedGroups(resource, model, &random)
            let target = "/\(resource.name)?\(groups.query)"
            let isValid = number < 9 && resource.isAggregated
            func append(_ request: AnswerComparison.Request, isValid: Bool = false) {
                requests.append((request, isValid))
            }
            append(.init(target: target), isValid: isValid)
            append(.init(target: target, accept: ["text/csv", "application/x-ndjson"][number % 2]))
            append(
                .init(target: "/graphql", body: JSONValue.object(["query": .string(groups.document)]).compactText),
                isValid: isValid)
            if number % 3 == 0 { append(.init(target: "/graphql?query=\(groups.document.queryValue)")) }
            if let relation = resource.relations.filter(\.isToMany).randomElement(using: &random) {
                let list = "/\(resource.name)?details=\(relation.name)&\(relation.name).first=0"
                append(.init(target: "\(list)&\(relation.name).aggregate=count"))
                let document = "{ \(resource.name) { nodes { \(relation.name)Aggregate { count } } } }"
                append(.init(target: "/graphql", body: JSONValue.object(["query": .string(document)]).compactText))
            }
        }
        return requests
    }
}

/// A random request for groups of an introspected resource, by its names.
private struct NamedGroups {
    let query: String
    let document: String

    init(_ resource: Resource, _ model: RandomModel, _ random: inout SplitMix64) {
        func type(_ field: Field, of resource: Resource) -> RandomType? {
            model.schema.table(resource.table)?.columns.first { $0.name == field.column }?.type
        }
        var keys: [[String]] = []
        for field in resource.fields {
            let parts: [String] =
                switch type(field, of: resource) {
                case .double, nil: []
                case .date: ["", "month", "week"]
                case .dateTime: ["", "year", "hour"]
                default: [""]
                }
            keys += parts.map { [field.name, $0] }
        }
        let relations = resource.relations.filter { !$0.isToMany && $0.joins.isEmpty }
        for relation in relations {
            guard let target = model.catalogue[relation.target] else { continue }
            keys += target.fields.filter { type($0, of: target) != .double }.map { [relation.name, $0.name, ""] }
        }
        keys = Array(keys.shuffled(using: &random).prefix(random.below(4)))
        var aggregates: [(field: String, function: String)] = [("", "count")]
        for field in resource.fields {
            // The last digits of a sum of floating-point numbers, and the case of the least text, can depend on the
            // order in which the rows are read.
            let functions: [String] =
                switch type(field, of: resource) {
                case .integer, .decimal: ["sum", "avg", "min", "max", "countDistinct"]
                case .double: ["min", "max", "count"]
                case .date, .dateTime: ["min", "max", "countDistinct"]
                case .text, nil: ["count", "countDistinct"]
                }
            aggregates += functions.map { (field.name, $0) }
        }
        aggregates = Array(aggregates.shuffled(using: &random).prefix(random.within(1...4)))
        let names = aggregates.map { ($0.field.isEmpty ? "" : "\($0.field).") + $0.function }
        let filter =
            random.chance(perThousand: 500) ? model.filter(resource, depth: 2, &random) : nil
        let having = random.chance(perThousand: 300) ? names.randomElement(using: &random) : nil
        let descending = random.chance(perThousand: 500) ? names.randomElement(using: &random) : nil
        func path(_ key: [String]) -> String { key.filter { !$0.isEmpty }.joined(separator: ".") }

        var query = ["aggregate=\(names.joined(separator: ","))"]
        if let filter { query.append("filter=\(filter.text(false).queryValue)") }
        if !keys.isEmpty {
            query.append("group=\(keys.map(path).joined(separator: ","))")
            if let having { query.append("having=\(#"{"\#(having)":{"null":false}}"#.queryValue)") }
            if let descending { query.append("sort=-\(descending)") }
            query.append("first=\(random.within(1...4))&count=true")
        }
        self.query = query.joined(separator: "&")

        func constant(_ name: String) -> String {
            name.map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
        }
        func input(_ key: [String]) -> String {
            if key.count == 3 { return "{\(key[0]): \(constant(key[1]))}" }
            return "{\(key[0]): \(key[1].isEmpty ? "VALUE" : constant(key[1]))}"
        }
        func selected(_ aggregates: [(field: String, function: String)]) -> String {
            let own = aggregates.enumerated().map { index, aggregate in
                aggregate.field.isEmpty
                    ? "count" : "a\(index): \(aggregate.field) { \(aggregate.function) }"
            }
            return own.joined(separator: " ")
        }
        var arguments = filter.map { ["filter: \($0.text(true))"] } ?? []
        guard !keys.isEmpty else {
            let list = arguments.isEmpty ? "" : "(\(arguments[0]))"
            document = "{ \(resource.name)Aggregate\(list) { \(selected(aggregates)) } }"
            return
        }
        arguments.append("groupBy: [\(keys.map(input).joined(separator: ", "))]")
        if let having {
            let parts = having.split(separator: ".").reversed().reduce("{null: false}") { "{\($1): \($0)}" }
            arguments.append("having: \(parts)")
        }
        // The same key can occur once only, and a date has one member for its parts.
        let members = keys.enumerated().map { index, key in
            func isDate(_ name: String, of resource: Resource?) -> Bool {
                guard let resource, let field = resource.field(name) else { return false }
                return [.date, .dateTime].contains(type(field, of: resource))
            }
            if key.count == 3 {
                let target = resource.relation(key[0]).flatMap { model.catalogue[$0.target] }
                return "k\(index): \(key[0]) { \(key[1])\(isDate(key[1], of: target) ? " { value }" : "") }"
            }
            let hasValue = isDate(key[0], of: resource)
            return hasValue ? "k\(index): \(key[0]) { \(key[1].isEmpty ? "value" : key[1]) }" : "k\(index): \(key[0])"
        }
        document = """
            { \(resource.name)Groups(\(arguments.joined(separator: ", ")), first: 5) \
            { nodes { key { \(members.joined(separator: " ")) } \(selected(aggregates)) } totalCount \
            pageInfo { endCursor } } }
            """
    }
}
