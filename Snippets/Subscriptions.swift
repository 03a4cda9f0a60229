// A subscription returns a response for each event.
import DuetGraphQL

struct Reading: ObjectSource {
    let station: String
    let degrees: Double
}

struct Stations: Sendable {
    // Returns the events. Any `AsyncSequence` can be used, for example the messages of a broker.
    func readings(of station: String) -> AsyncStream<Reading> {
        AsyncStream { continuation in
            for degrees in [17.5, 18] { continuation.yield(Reading(station: station, degrees: degrees)) }
            continuation.finish()
        }
    }
}

var resolvers = SchemaResolvers(userContext: Stations.self)
resolvers.query { query in
    query["version"] = .sync { _, _ in "1" }
}
resolvers.subscription { subscription in
    subscription["readings"] = .events { _, context in
        context.userContext.readings(of: try context.arguments.string("station"))
    }
}
resolvers.bind(Reading.self, to: "Reading") { reading in
    reading["station"] = .property(\.station)
    reading["degrees"] = .property(\.degrees)
}

let schema = try ExecutableSchema(
    Schema(
        sdl: """
            type Query { version: String! }
            type Subscription { readings(station: String!): Reading! }
            type Reading { station: String! degrees: Float! }
            """),
    resolvers: resolvers)

let subscription = try await schema.subscribe(
    "subscription($station: String!) { readings(station: $station) { degrees } }", variables: ["station": "Oslo"],
    userContext: Stations())
switch subscription {
case .failed(let response): print("The subscription did not start: \(response.text)")
case .responses(let responses):
    // Send each response, for example as a server-sent event or as a WebSocket message.
    for try await response in responses { print(response.text) }
}
// Prints: {"data":{"readings":{"degrees":17.5}}}
// Prints: {"data":{"readings":{"degrees":18.0}}}
