import DuetGraphQL
import DuetJSON
import NIOCore
import Testing

@Suite("Incremental delivery: @defer and @stream")
struct IncrementalTests {
    static let sdl = """
        directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
        directive @stream(if: Boolean! = true, label: String, initialCount: Int! = 0) on FIELD
        type Query { hero: Hero list: [Int!] heroes: [Hero!] other: Hero }
        type Hero { id: Int name: String must: Int! friend: Hero slow: String }
        """

    static func parts(_ query: String, variables: ObjectValue = [:]) async throws -> [String] {
        let schema = try Executing.schema(sdl) { resolvers in
            resolvers["Query", "hero"] = .sync { _, _ in .object(1) }
            resolvers["Query", "other"] = .subtree(
                LaterExecutionTests.Subtree { request in
                    let keys = request.field.selection?.fields.map(\.responseName).joined(separator: ",") ?? ""
                    return LaterExecutionTests.written(request, "\"\(keys)\"")
                })
            resolvers["Query", "heroes"] = .sync { _, _ in .list([.object(1), .object(2)]) }
            resolvers["Query", "list"] = .sync { _, _ in .list((0..<5).map { .int($0) }) }
            resolvers["Hero", "id", on: Int.self] = .sync { number, _ in .int(number) }
            resolvers["Hero", "name", on: Int.self] = .sync { number, _ in .string("H\(number)") }
            resolvers["Hero", "friend", on: Int.self] = .async { number, _ in .object(number + 10) }
            resolvers["Hero", "slow", on: Int.self] = .batch { numbers, _ in
                numbers.map { .string("\($0) of \(numbers.count)") }
            }
        }
        let operation = try PreparedOperation(unvalidated: Parser.parse(query), schema: schema)
        switch try await operation.executeIncrementally(variables: variables) {
        case .single(let response): return [response.text]
        case .incremental(let initial, let subsequent):
            var parts = [initial.text]
            for try await part in subsequent { parts.append(part.text) }
            return parts
        }
    }

    @Test("Deferred fields are delivered in a second part")
    func deferred() async throws {
        #expect(
            try await Self.parts("{ hero { id ... @defer(label: \"L\") { name friend { id } } } }") == [
                #"{"data":{"hero":{"id":1}},"pending":[{"id":"0","path":["hero"],"label":"L"}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","data":{"name":"H1","friend":{"id":11}}}],"completed":[{"id":"0"}],"hasNext":false}"#,
            ])
    }

    @Test("A disabled or redundant @defer causes no second part")
    func single() async throws {
        #expect(
            try await Self.parts(
                "query($no: Boolean!) { hero { id ... @defer(if: $no) { name } } }", variables: ["no": false])
                == [#"{"data":{"hero":{"id":1,"name":"H1"}}}"#])
        #expect(
            try await Self.parts("{ hero { id name ... @defer { name id } } }") == [
                #"{"data":{"hero":{"id":1,"name":"H1"}}}"#
            ])
        #expect(try await Self.parts("{ other { id ... @defer { name } } }") == [#"{"data":{"other":"id,name"}}"#])
    }

    @Test("A deferred field of an object in the first part is delivered with the subPath of the object")
    func subPath() async throws {
        let parts = try await Self.parts("{ hero { friend { id } } ... @defer { hero { friend { name } } } }")
        #expect(
            parts == [
                #"{"data":{"hero":{"friend":{"id":11}}},"pending":[{"id":"0","path":[]}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","subPath":["hero","friend"],"data":{"name":"H11"}}],"completed":[{"id":"0"}],"hasNext":false}"#,
            ])
    }

    @Test("A nested @defer is reported as pending when the outer @defer is complete")
    func nested() async throws {
        #expect(
            try await Self.parts("{ hero { ... @defer(label: \"a\") { id ... @defer(label: \"b\") { name } } } }") == [
                #"{"data":{"hero":{}},"pending":[{"id":"0","path":["hero"],"label":"a"}],"hasNext":true}"#,
                #"{"pending":[{"id":"1","path":["hero"],"label":"b"}],"incremental":[{"id":"0","data":{"id":1}}],"completed":[{"id":"0"}],"hasNext":true}"#,
                #"{"incremental":[{"id":"1","data":{"name":"H1"}}],"completed":[{"id":"1"}],"hasNext":false}"#,
            ])
    }

    @Test("Deferred fields of list items are resolved in one batch")
    func batched() async throws {
        #expect(
            try await Self.parts("{ heroes { id ... @defer { slow } } }") == [
                #"{"data":{"heroes":[{"id":1},{"id":2}]},"pending":[{"id":"0","path":["heroes",0]},{"id":"1","path":["heroes",1]}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","data":{"slow":"1 of 2"}},{"id":"1","data":{"slow":"2 of 2"}}],"completed":[{"id":"0"},{"id":"1"}],"hasNext":false}"#,
            ])
    }

    @Test("A null in a deferred non-null field is an error of the deferred part only")
    func failed() async throws {
        #expect(
            try await Self.parts("{ hero { id ... @defer { name must } } }") == [
                #"{"data":{"hero":{"id":1}},"pending":[{"id":"0","path":["hero"]}],"hasNext":true}"#,
                #"{"completed":[{"id":"0","errors":[{"message":"Cannot return null for non-nullable field Hero.must.","locations":[{"line":1,"column":31}],"path":["hero","must"]}]}],"hasNext":false}"#,
            ])
    }

    @Test("@stream delivers the first `initialCount` items in the first part, and the other items in a second part")
    func streamed() async throws {
        #expect(
            try await Self.parts("{ list @stream(initialCount: 2, label: \"S\") }") == [
                #"{"data":{"list":[0,1]},"pending":[{"id":"0","path":["list"],"label":"S"}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","items":[2,3,4]}],"completed":[{"id":"0"}],"hasNext":false}"#,
            ])
        #expect(try await Self.parts("{ list @stream(initialCount: 9) }") == [#"{"data":{"list":[0,1,2,3,4]}}"#])
    }

    @Test("Streamed objects contain all selected fields. An invalid object ends the stream with an error")
    func streamedObjects() async throws {
        let parts = try await Self.parts("{ heroes @stream(initialCount: 1) { id slow } }")
        #expect(
            parts == [
                #"{"data":{"heroes":[{"id":1,"slow":"1 of 1"}]},"pending":[{"id":"0","path":["heroes"]}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","items":[{"id":2,"slow":"2 of 1"}]}],"completed":[{"id":"0"}],"hasNext":false}"#,
            ])
        let failing = try await Self.parts("{ heroes @stream(initialCount: 0) { must } }")
        #expect(failing.last?.hasPrefix(#"{"completed":[{"id":"0","errors":["#) == true)
        #expect(failing.last?.contains(#""path":["heroes",0,"must"]"#) == true)
    }

    @Test("A negative initialCount of an enabled @stream is an error, even without incremental delivery")
    func negativeInitialCount() async throws {
        func refusal(column: Int) -> String {
            #"{"errors":[{"message":"initialCount must be a positive integer","locations":[{"line":1,"column":\#(column)}]}]}"#
        }
        let schema = try Executing.schema(Self.sdl)
        #expect(
            try await Executing.text("{ list @stream(initialCount: -1) }", on: schema) == refusal(column: 8))
        let query = "query($n: Int!) { list @stream(initialCount: $n) }"
        #expect(try await Executing.text(query, on: schema, variables: ["n": -1]) == refusal(column: 24))
        #expect(try await Self.parts(query, variables: ["n": -1]) == [refusal(column: 24)])
        #expect(try await Self.parts(query, variables: ["n": 5]) == [#"{"data":{"list":[0,1,2,3,4]}}"#])
        #expect(
            try await Executing.text("{ list @stream(if: false, initialCount: -1) }", on: schema)
                == #"{"data":{"list":null}}"#)
    }
}
