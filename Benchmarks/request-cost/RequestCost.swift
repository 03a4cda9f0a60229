import DuetEmployees
import DuetHTTPServer
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import DuetServer
import Foundation
import Logging
import NIOCore
import NIOEmbedded
import Tracing

/// Processes one request repeatedly on one thread and without sockets, so that valgrind can count the instructions per
/// request. The count is the same in each run and does not depend on the load of the machine. Eight connections each
/// send a request in every iteration of the event loop. `scripts/request-cost.sh` runs this program.
///
///     request-cost DATABASE COUNT REQUEST [RATIO]
///
/// COUNT is a multiple of eight. REQUEST is a path, or a GraphQL document that is sent by POST. RATIO is the share of
/// requests whose spans are recorded; without it, there is no tracer. The cost of a recorded span includes its JSON.
@main
enum RequestCost {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let connectionCount = 8

    static func main() throws {
        let arguments = CommandLine.arguments
        guard 4...5 ~= arguments.count, let count = Int(arguments[2]), count.isMultiple(of: connectionCount) else {
            throw Failure(description: "usage: request-cost DATABASE COUNT REQUEST [RATIO]")
        }
        var exporter: OTLPExporter?
        if arguments.count == 5, let ratio = Double(arguments[4]) {
            let tracer = OTLPTracer(sampleRatio: ratio)
            InstrumentationSystem.bootstrap(tracer)
            exporter = OTLPExporter(tracer, settings: try OTLPSettings(endpoint: "http://127.0.0.1:4318")) { _ in }
        }
        var logger = Logger(label: "request-cost")
        logger.logLevel = .warning
        let observer = Observer(logger: logger)
        let database = Database(
            try DatabaseURL("sqlite:\(arguments[1])"), configuration: DatabaseConfiguration(poolSize: 1),
            observer: { observer.database($0) })
        var service = try ResourceService.employees(database: database, encoding: ValueEncoding(dates: .iso))
        // A short read that exceeds the default time, for example under valgrind, runs again on another thread. This
        // program does not wait for other threads.
        service.directReadBudget?.time = .seconds(600)
        let server = try DuetServer(
            service: service, queryDatabase: nil, settings: ServerSettings(), observer: observer, logger: logger)
        let eventLoop = EmbeddedEventLoop()
        let connections = (0..<connectionCount).map { _ in EmbeddedChannel(loop: eventLoop) }
        for connection in connections {
            _ = try server.channel.setup(channel: connection)
            try connection.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
        }
        let request = ByteBuffer(string: request(arguments[3]))
        for round in 0..<count / connectionCount {
            if round.isMultiple(of: 16) { _ = exporter?.takeBody() }
            for connection in connections { try connection.writeInbound(request) }
            eventLoop.run()
            for connection in connections {
                guard case .byteBuffer(let head)? = try connection.readOutbound(as: IOData.self),
                    head.readableBytesView.starts(with: "HTTP/1.1 200 ".utf8)
                else {
                    throw Failure(
                        description: "\(arguments[3]) did not get a response with status 200 on the event loop.")
                }
                while try connection.readOutbound(as: IOData.self) != nil {}
            }
        }
        // The pool is not closed, because nothing was written and the process exits.
        exit(0)
    }

    private static func request(_ text: String) -> String {
        let fields = "Host: 127.0.0.1:8080\r\n"
        guard !text.hasPrefix("/") else { return "GET \(text) HTTP/1.1\r\n\(fields)\r\n" }
        let body = "{\"query\":\"\(text)\"}"
        return
            "POST /graphql HTTP/1.1\r\n\(fields)Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
}
