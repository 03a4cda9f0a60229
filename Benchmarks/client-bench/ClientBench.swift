import DuetClient
import DuetJSON
import Foundation

/// Measures the client's parts, each as the median of several rounds, beside a floor of the same run: Foundation's `JSONSerialization`
/// reading the same bytes.
@main
struct ClientBench {
    static func main() async throws {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 21
        let bytes = Payload.response()
        print("A response of \(bytes.count) bytes and \(Payload.count + 1) records; median of \(rounds) rounds.")
        let data = Data(bytes)
        let floor = try await median(rounds) { _ = try JSONSerialization.jsonObject(with: data) }
        report("JSONSerialization, the floor", floor, floor)

        report("checked and indexed", try await median(rounds) { _ = try JSONTape(parsing: bytes) }, floor)
        let tape = try JSONTape(parsing: bytes)
        report(
            "typed values from the response",
            try await median(rounds) {
                _ = try DictionaryDecoder.decode(PeopleModel.self, from: tape.root["data"] ?? tape.root)
            }, floor)
        let transport = ConstantTransport(bytes: bytes)
        report(
            "response to an empty store, with typed values",
            try await median(rounds) {
                let client = GraphQLClient(transport: transport, store: GraphQLStore(policies: .people))
                _ = try await client.fetch(PeopleQuery(), policy: .fetchIgnoringCacheData)
            }, floor)
        let store = GraphQLStore(policies: .people)
        let client = GraphQLClient(transport: transport, store: store)
        _ = try await client.fetch(PeopleQuery())
        report(
            "the same response again",
            try await median(rounds) { _ = try await client.fetch(PeopleQuery(), policy: .fetchIgnoringCacheData) },
            floor)
        let other = GraphQLClient(
            transport: ConstantTransport(bytes: Payload.response(lastName: "Facello")), store: store)
        var isOther = false
        report(
            "a response that changes a field of each record",
            try await median(rounds) {
                isOther.toggle()
                _ = try await (isOther ? other : client).fetch(PeopleQuery(), policy: .fetchIgnoringCacheData)
            }, floor)
        report(
            "typed values from the store",
            try await median(rounds) { _ = try await client.fetch(PeopleQuery(), policy: .cacheDontFetch) }, floor)
        report(
            "document of a model, made anew",
            try await median(rounds) {
                _ = try OperationDocument(.query, name: "People", map: MappingDecoder.map(PeopleModel.self))
            }, floor)
    }

    private static func median(_ rounds: Int, _ body: () async throws -> Void) async throws -> Duration {
        var times: [Duration] = []
        for _ in 0..<rounds {
            let start = ContinuousClock.now
            try await body()
            times.append(ContinuousClock.now - start)
        }
        return times.sorted()[rounds / 2]
    }

    private static func report(_ name: String, _ time: Duration, _ floor: Duration) {
        let milliseconds = time / .milliseconds(1)
        print(
            String(format: "%9.3f ms  %5.2f  ", milliseconds, time / floor) + name)
    }
}
