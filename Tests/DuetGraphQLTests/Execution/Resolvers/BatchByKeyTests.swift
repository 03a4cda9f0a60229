import DuetGraphQL
import Synchronization
import Testing

@Suite("Batches by key")
struct BatchByKeyTests {
    private struct Person: ObjectSource {
        let id: Int
        let name: String
        var employerID: Int?
    }

    private struct Employer: ObjectSource {
        let id: Int
        let name: String
    }

    private static let people = [
        Person(id: 1, name: "Ada", employerID: 7), Person(id: 2, name: "Ben"),
        Person(id: 3, name: "Cleo", employerID: 7),
        Person(id: 4, name: "Dan", employerID: 8),
    ]

    /// The keys of each call of a batch resolver.
    private final class Calls: Sendable {
        private let keys = Mutex<[[Int]]>([])
        func add(_ keys: [Int]) { self.keys.withLock { $0.append(keys) } }
        var all: [[Int]] { keys.withLock { $0 } }
    }

    private static func schema(people: [Person], calls: Calls) throws -> ExecutableSchema<Void> {
        var resolvers = SchemaResolvers()
        resolvers.query { $0["people"] = .sync { _, _ in people } }
        resolvers.bind(Person.self, to: "Person") { person in
            person["name"] = .property(\.name)
            // The type of the keys is inferred from the property alone.
            person["colleagues"] = .batch(by: \.employerID) { ids, _ in
                Dictionary(uniqueKeysWithValues: ids.filter { $0 == 7 }.map { ($0, people.map(\.name)) })
            }
            person["badge"] = .batch(by: \.employerID) { ids, _ in
                let text = "\(ids.count) employers"
                return [7: text]
            }
            person["employer"] = .batch(by: \.employerID) { ids, _ in
                calls.add(ids)
                return ids.contains(7) ? [7: Employer(id: 7, name: "Duo")] : [:]
            }
        }
        resolvers.bind(Employer.self, to: "Employer") { employer in
            employer["name"] = .property(\.name)
            employer["people"] = .batch(by: \.id) { ids, _ in
                Dictionary(grouping: people.filter { $0.name != "Cleo" }, by: { $0.employerID ?? 0 })
            }
            employer["cats"] = .batch(by: \.id) { _, _ in [Int: [String]]() }
        }
        let sdl = """
            type Query { people: [Person!]! }
            type Person { name: String! employer: Employer colleagues: [String!]! badge: String }
            type Employer { name: String! people: [Person!]! cats: [String!]! }
            """
        return try ExecutableSchema(Schema(sdl: sdl), resolvers: resolvers)
    }

    @Test("The closure receives no nil keys. Without a key, or for a key without a value, the field is null")
    func optionalKey() async throws {
        let calls = Calls()
        let response = try await Self.schema(people: Self.people, calls: calls).execute(
            "{ people { name employer { name } } }")
        #expect(
            response.text
                == #"{"data":{"people":[{"name":"Ada","employer":{"name":"Duo"}},{"name":"Ben","employer":null},"#
                + #"{"name":"Cleo","employer":{"name":"Duo"}},{"name":"Dan","employer":null}]}}"#)
        #expect(calls.all == [[7, 8]])
    }

    @Test("If no object has a key, the closure is not called")
    func noKey() async throws {
        let calls = Calls()
        let response = try await Self.schema(people: [Person(id: 2, name: "Ben")], calls: calls).execute(
            "{ people { employer { name } } }")
        #expect(response.text == #"{"data":{"people":[{"employer":null}]}}"#)
        #expect(calls.all.isEmpty)
    }

    @Test("A list field is an empty list for a key without a value, even if the field is non-null")
    func lists() async throws {
        let response = try await Self.schema(people: [Self.people[0]], calls: Calls()).execute(
            "{ people { employer { people { name } cats } } }")
        #expect(response.text == #"{"data":{"people":[{"employer":{"people":[{"name":"Ada"}],"cats":[]}}]}}"#)
    }

    @Test("A list field is an empty list for an object without a key, even if the field is non-null")
    func listsOfOptionalKey() async throws {
        let people = [Self.people[0], Self.people[1], Self.people[3]]
        let response = try await Self.schema(people: people, calls: Calls()).execute("{ people { colleagues badge } }")
        #expect(
            response.text
                == #"{"data":{"people":[{"colleagues":["Ada","Ben","Dan"],"badge":"2 employers"},"#
                + #"{"colleagues":[],"badge":null},{"colleagues":[],"badge":null}]}}"#)
    }
}
