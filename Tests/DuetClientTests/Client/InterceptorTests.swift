import DuetClient
import DuetJSON
import HTTPTypes
import Synchronization
import Testing

@Suite("Interceptors")
struct InterceptorTests {
    private final class Log: Sendable {
        private let entries = Mutex<[String]>([])
        var lines: [String] { entries.withLock { $0 } }
        func add(_ line: String) { entries.withLock { $0.append(line) } }
    }

    private struct Named: GraphQLInterceptor {
        let name: String
        let log: Log

        func send(
            _ request: GraphQLRequest, next: any GraphQLTransport
        ) async throws(GraphQLClientError) -> GraphQLReply {
            log.add("\(name) before")
            let reply = try await next.send(request)
            log.add("\(name) after")
            return reply
        }
    }

    private struct Authorization: GraphQLInterceptor {
        func send(
            _ request: GraphQLRequest, next: any GraphQLTransport
        ) async throws(GraphQLClientError) -> GraphQLReply {
            var request = request
            request.headerFields[.authorization] = "Bearer secret"
            return try await next.send(request)
        }
    }

    /// A transport whose response contains the request's Authorization field as the last name.
    private struct Echo: GraphQLTransport {
        func send(_ request: GraphQLRequest) async throws(GraphQLClientError) -> GraphQLReply {
            let name = request.headerFields[.authorization] ?? "none"
            return try await ConstantAnswer(
                #"{"data":{"employee":{"id":"1","firstName":"","lastName":"\#(name)"}}}"#
            ).send(request)
        }
    }

    @Test("The first interceptor is the first to receive the request and the last to receive the response")
    func order() async throws {
        let log = Log()
        let client = GraphQLClient(
            transport: Echo(), interceptors: [Named(name: "a", log: log), Named(name: "b", log: log)])
        _ = try await client.fetch(EmployeeRowQuery(id: "1"))
        #expect(log.lines == ["a before", "b before", "b after", "a after"])
    }

    @Test("An interceptor adds header fields")
    func authorization() async throws {
        let client = GraphQLClient(transport: Echo(), interceptors: [Authorization()])
        #expect(try await client.fetch(EmployeeRowQuery(id: "1")).data?.employee?.lastName == "Bearer secret")
    }

    private struct Answering: GraphQLInterceptor {
        func send(
            _ request: GraphQLRequest, next: any GraphQLTransport
        ) async throws(GraphQLClientError) -> GraphQLReply {
            try await ConstantAnswer(#"{"data":{"employee":null}}"#).send(request)
        }
    }

    @Test("An interceptor can return a response without a request. The client caches the response")
    func answering() async throws {
        let log = Log()
        let client = GraphQLClient(transport: Echo(), interceptors: [Answering(), Named(name: "later", log: log)])
        #expect(try await client.fetch(EmployeeRowQuery(id: "1")).source == .server)
        #expect(try await client.fetch(EmployeeRowQuery(id: "1")).source == .cache)
        #expect(log.lines.isEmpty)
    }

    private struct Refusing: GraphQLInterceptor {
        func send(
            _ request: GraphQLRequest, next: any GraphQLTransport
        ) async throws(GraphQLClientError) -> GraphQLReply {
            throw GraphQLClientError(.transport, "Signed out.")
        }
    }

    @Test("A fetch throws the error of an interceptor")
    func error() async throws {
        let client = GraphQLClient(transport: Echo(), interceptors: [Refusing()])
        let error = await #expect(throws: GraphQLClientError.self) {
            _ = try await client.fetch(EmployeeRowQuery(id: "1"))
        }
        #expect(error?.message == "Signed out.")
    }
}
