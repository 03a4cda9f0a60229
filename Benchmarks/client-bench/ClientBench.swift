import DuetClient
import DuetJSON
import Foundation

/// Measures parts of the client. Each time is the median of several rounds, and is printed with its ratio to a floor.
/// The floor is the time in which Foundation's `JSONSerialization` parses the response of the benchmark. It is measured
/// in the same run.
@main
struct ClientBench {
    static func main() async throws {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 21
        let bytes = Payload.response()
        print("A response of \(bytes.count) bytes and \(Payload.count + 1) records; median of \(rounds) rounds.")
        let data = Data(bytes)
        let floor = try await median(rounds) { _ = try JSONSerialization.jsonObject(with: data) }
        report("JSONSerialization: parse the response", floor, floor)

        report(
            "JSONTape: check the text of the response, and record the positions of the values",
            try await median(rounds) { _ = try JSONTape(parsing: bytes) }, floor)
        let tape = try JSONTape(parsing: bytes)
        report(
            "decode typed values from the response",
            try await median(rounds) {
                _ = try DictionaryDecoder.decode(PeopleModel.self, from: tape.root["data"] ?? tape.root)
            }, floor)
        let transport = ConstantTransport(bytes: bytes)
        report(
            "write the response to an empty store, and decode typed values",
            try await median(rounds) {
                let client = GraphQLClient(transport: transport, store: GraphQLStore(policies: .people))
                _ = try await client.fetch(PeopleQuery(), policy: .fetchIgnoringCacheData)
            }, floor)
        let store = GraphQLStore(policies: .people)
        let client = GraphQLClient(transport: transport, store: store)
        _ = try await client.fetch(PeopleQuery())
        report(
            "receive the same response again",
            try await median(rounds) { _ = try await client.fetch(PeopleQuery(), policy: .fetchIgnoringCacheData) },
            floor)
        let other = GraphQLClient(
            transport: ConstantTransport(bytes: Payload.response(lastName: "Facello")), store: store)
        var isOther = false
        report(
            "write a response that changes a field of each record, and decode typed values",
            try await median(rounds) {
                isOther.toggle()
                _ = try await (isOther ? other : client).fetch(PeopleQuery(), policy: .fetchIgnoringCacheData)
            }, floor)
        report(
            "read typed values from the store",
            try await median(rounds) { _ = try await client.fetch(PeopleQuery(), policy: .cacheDontFetch) }, floor)
        try await measureCodable(rounds: rounds, floor)
        for (name, make) in [
            ("create the document of a model with 50 fields", { try document(of: Fields50.self) }),
            ("create the document of a model with 1,000 fields", { try document(of: Fields1000.self) }),
        ] {
            report(name, try await median(rounds) { try make() }, floor)
        }
        try await measureSQLite(rounds: min(rounds, 11), floor)
    }

    /// Measures `Decodable` types. For comparison, it also measures `JSONDecoder` with the same types and bytes.
    private static func measureCodable(rounds: Int, _ floor: Duration) async throws {
        struct Response: Decodable { let data: CodablePeopleQuery.Data }
        let bytes = Payload.response(typeName: "Person")
        let data = Data(bytes)
        report(
            "JSONDecoder: decode the response",
            try await median(rounds) { _ = try JSONDecoder().decode(Response.self, from: data) }, floor)
        let client = GraphQLClient(
            transport: ConstantTransport(bytes: bytes), store: GraphQLStore(policies: .people))
        report(
            "decode Decodable values from the response",
            try await median(rounds) {
                _ = try await client.fetch(CodablePeopleQuery(), policy: .fetchIgnoringCacheCompletely)
            }, floor)
        _ = try await client.fetch(CodablePeopleQuery())
        report(
            "read Decodable values from the store",
            try await median(rounds) { _ = try await client.fetch(CodablePeopleQuery(), policy: .cacheDontFetch) },
            floor)
    }

    private static func document(of model: (some DataDecodable).Type) throws {
        _ = try OperationDocument(.query, name: "Bench", map: MappingDecoder.map(model))
    }

    /// Measures SQLite: writing 10,000 records with five fields each in one transaction, and reading all of them with a
    /// newly opened cache.
    private static func measureSQLite(rounds: Int, _ floor: Duration) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "client-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let keys = (0..<10_000).map { CacheKey.entity("Person", "\($0)") }
        let receipt = Receipt(received: GraphQLStore.systemTime)
        let records = Dictionary(
            uniqueKeysWithValues: keys.enumerated().map { index, key in
                let fields: [(FieldKey, FieldValue)] = [
                    ("id", .string("\(index)")), ("firstName", "Chirstian"), ("lastName", "Koblick"),
                    ("salary", .integer(Int64(index))), ("manager", .reference(keys[index / 10])),
                ]
                return (key, Record(fields, receipt: receipt))
            })
        var count = 0
        var writes: [Duration] = []
        var reads: [Duration] = []
        for _ in 0..<rounds {
            count += 1
            let file = folder.appending(path: "\(count).sqlite")
            var start = ContinuousClock.now
            try SQLiteNormalizedCache(at: file).apply(CacheChanges(records: records)) { [] }
            writes.append(ContinuousClock.now - start)
            let cache = try SQLiteNormalizedCache(at: file)
            start = ContinuousClock.now
            for key in keys { _ = try cache.record(for: key) }
            reads.append(ContinuousClock.now - start)
        }
        report("10,000 records to a SQLite file", writes.sorted()[rounds / 2], floor)
        report("10,000 records from a SQLite file", reads.sorted()[rounds / 2], floor)
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

/// A model with `count` fields named `field0`, `field1` and so on.
private protocol ManyFields: DataDecodable {
    static var count: Int { get }
    init()
}

extension ManyFields {
    init(from decoder: DynamicDecoder) throws(ModelError) {
        self.init()
        for number in 0..<Self.count { let _: String? = try decoder.value("field\(number)") }
    }
}

private struct Fields50: ManyFields {
    static let count = 50
}

private struct Fields1000: ManyFields {
    static let count = 1000
}
