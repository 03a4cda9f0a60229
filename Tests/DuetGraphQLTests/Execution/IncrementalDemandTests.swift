import DuetGraphQL
import Testing

@Suite("The backpressure of incremental delivery")
struct IncrementalDemandTests {
    /// Returns a schema with a list of a million numbers. `made` counts the numbers that were created.
    static func schema(_ made: Locked<Int>) throws -> ExecutableSchema<Void> {
        var resolvers = SchemaResolvers()
        resolvers.query { query in
            query["numbers"] = .sync { _, _ in
                .sequence(
                    ResolvedSequence(count: 1_000_000) { number in
                        made.withLock { $0 += 1 }
                        return .int(number)
                    })
            }
        }
        return try ExecutableSchema(
            Schema(sdl: "type Query { numbers: [Int!]! }", directives: SchemaDirective.incrementalDelivery),
            resolvers: resolvers)
    }

    static func results(_ made: Locked<Int>) async throws -> IncrementalResults {
        let response = try await schema(made).executeIncrementally("{ numbers @stream(initialCount: 1) }")
        guard case .incremental(_, let results) = response else { throw GraphQLError("Nothing is streamed") }
        return results
    }

    @Test("The items of a streamed list are created only as fast as the results are read")
    func demand() async throws {
        let made = Locked(0)
        let results = try await Self.results(made)
        var read = 0
        for try await result in results {
            read += 1
            #expect(result.text.hasSuffix(#""hasNext":true}"#))
            // At most the items of the earlier results, this result and the next result were created.
            #expect(made.withLock { $0 } <= 1 + 64 * (read + 2))
            if read == 20 { break }
        }
        #expect(read == 20)
    }

    @Test("Reading the results in a canceled task throws CancellationError")
    func cancelled() async throws {
        let results = try await Self.results(Locked(0))
        let task = Task {
            var count = 0
            for try await _ in results { count += 1 }
            return count
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("A second iterator of the results throws an error")
    func iteratedTwice() async throws {
        let results = try await Self.results(Locked(0))
        var first = results.makeAsyncIterator()
        #expect(try await first.next() != nil)
        var second = results.makeAsyncIterator()
        await #expect(throws: GraphQLError.self) { try await second.next() }
        #expect(try await first.next() != nil)
    }
}
