import DuetResourceService
import SeededTesting
import TestSupport
import Testing

@Suite("Introspected random schemas") struct RandomSchemaTests {
    @Test(
        "Random requests over REST and GraphQL return the same rows as an evaluation in memory",
        arguments: TestBackend.available)
    func questions(_ backend: TestBackend) async throws {
        for seed in TestScale.seeds(4) {
            var random = SplitMix64(seed: seed)
            let schema = RandomSchema(ignoresCase: !seed.isMultiple(of: 2), &random)
            try await OddService.with(backend, schema.script(backend)) { service in
                let model = RandomModel(schema: schema, catalogue: service.catalogue)
                for number in 0..<20 {
                    guard let resource = service.catalogue.resources.randomElement(using: &random) else { continue }
                    let question = model.question(resource, depth: 2, &random)
                    await Self.check(question, model, service, "seed \(seed), question \(number), \(backend)")
                }
            }
        }
    }

    @Test(
        "The callers of a random role receive the answers of a database that has only the rows and fields of the role",
        arguments: TestBackend.available)
    func roles(_ backend: TestBackend) async throws {
        for seed in TestScale.seeds(4) {
            var random = SplitMix64(seed: seed &+ 1_000)
            let schema = RandomSchema(ignoresCase: !seed.isMultiple(of: 2), &random)
            try await OddService.with(backend, schema.script(backend)) { service in
                let whole = RandomModel(schema: schema, catalogue: service.catalogue)
                for _ in 0..<4 {
                    let role = try RandomRole(whole, &random)
                    let restricted = try service.restricted(to: role)
                    let model = RandomModel(
                        schema: schema.keeping { role.sees($0, of: $1, whole) }, catalogue: restricted.catalogue)
                    for number in 0..<8 {
                        guard let resource = restricted.catalogue.resources.randomElement(using: &random) else {
                            continue
                        }
                        let question = model.question(resource, depth: 2, &random)
                        await Self.check(
                            question, model, restricted, "seed \(seed), \(role), question \(number), \(backend)")
                    }
                }
            }
        }
    }

    @Test(
        "Rows that refer to consecutive whole numbers do not receive a row whose decimal key is between them",
        arguments: TestBackend.available)
    func decimalKeys(_ backend: TestBackend) async throws {
        let script = """
            CREATE TABLE sizes (size DECIMAL(8,2) NOT NULL PRIMARY KEY);
            CREATE TABLE parts (id INTEGER NOT NULL PRIMARY KEY, size DECIMAL(8,2) REFERENCES sizes (size));
            INSERT INTO sizes VALUES (0), (0.5), (1);
            INSERT INTO parts VALUES (1, 0), (2, 1);
            """
        try await OddService.with(backend, script) { service in
            let parts = try #require(service.catalogue["parts"])
            let relation = try #require(parts.relations.first?.name)
            let page = try await service.get(parts, [("fields", "id"), ("details", relation)])
            #expect(
                page.elements
                    == [("1", "0.00"), ("2", "1.00")].map { #"{"id":\#($0.0),"\#(relation)":{"size":"\#($0.1)"}}"# })
        }
    }

    /// Compares the responses to a question with the model. An error is reported with the name of the question.
    static func check(
        _ question: RandomQuestion, _ model: RandomModel, _ service: OddService, _ name: String
    ) async {
        await #expect(throws: Never.self, "\(name)") { try await compare(question, model, service, name) }
    }

    private static func compare(
        _ question: RandomQuestion, _ model: RandomModel, _ service: OddService, _ name: String
    ) async throws {
        let resource = question.resource
        let (rest, graphQL) = (model.answer(question, isGraphQL: false), model.answer(question, isGraphQL: true))
        let size = question.first ?? 100
        let query = question.restQuery + [("count", "true")]
        // Each page is requested over REST and over GraphQL with the same cursor, because a cursor is valid in both
        // APIs.
        var after: String?
        var start = 0
        repeat {
            let cursor = after.map { [(name: "after", value: $0)] } ?? []
            let page = try await service.get(
                resource, query.filter { $0.name != "first" } + [("first", "\(size)")] + cursor)
            #expect(page.elements == Array(rest[min(start, rest.count)...].prefix(size)), "\(name) over REST: \(query)")
            #expect(page.totalCount == Int64(rest.count), "\(name) over REST: \(query)")
            let operation = question.document(size, after: after)
            let answer = RawJSON.member(try await service.query(operation), resource.name)
            let nodes = RawJSON.elements(RawJSON.member(answer, "nodes"))
            #expect(nodes == Array(graphQL[min(start, graphQL.count)...].prefix(size)), "\(name): \(operation)")
            #expect(RawJSON.member(answer, "totalCount") == "\(graphQL.count)", "\(name): \(operation)")
            let end = RawJSON.text(RawJSON.member(answer, "pageInfo", "endCursor"))
            #expect(page.next == nil || page.next == end, "\(name): \(operation)")
            after = page.next
            start += size
        } while after != nil && start < 100
        #expect(start >= rest.count, "\(name) ends after \(start) rows")
    }
}
