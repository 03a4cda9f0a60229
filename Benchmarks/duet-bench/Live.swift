import DuetSQLDatabase
import Foundation

/// Measures live queries: the time from a commit to the last byte of the event, processor time, and memory.
enum Live {
    /// Measures 1,000 watchers of one question, 1,000 watchers of different questions, and 10,000 idle watchers.
    /// - Parameter url: The URL of an employees database with at least 1,000 employees.
    static func measure(_ backend: String, url: String, _ report: Report) async throws {
        let database = Database(try DatabaseURL(url))
        do {
            for (what, path) in [
                ("one question", { (_: Int) in "/employees/10001?fields=lastName" }),
                ("1,000 different questions", { "/employees/\(10_001 + $0)?fields=lastName" }),
            ] {
                try await measureDelay(backend, what, url, database, path, report)
            }
            try await measureIdle(backend, url, report)
            try measureDeparture(backend, url, report)
        } catch {
            await database.close()
            throw error
        }
        await database.close()
    }

    private static func serve(_ url: String) throws -> ServerProcess {
        try Duet.serve(
            environment: ["DUET_DATABASE": url, "DUET_MAX_CONNECTIONS": "12000", "DUET_LIVE_WATCHERS": "20000"])
    }

    private static func measureDelay(
        _ backend: String, _ what: String, _ url: String, _ database: Database, _ path: (Int) -> String,
        _ report: Report
    ) async throws {
        let server = try serve(url)
        defer { server.stop() }
        let watchers = try Watchers(port: server.port, paths: (0..<1_000).map(path))
        try watchers.readEvents(containing: "event: value")
        let before = server.usage
        let commits = 20
        var delays: [Double] = []
        for commit in 0..<commits {
            let name = "Name\(commit)"
            try await database.write { connection in
                try connection.execute(
                    "UPDATE employees SET last_name = :name WHERE emp_no BETWEEN 10001 AND 11000",
                    ["name": .text(name)])
            }
            let committed = DispatchTime.now().uptimeNanoseconds
            delays += try watchers.readEvents(containing: "\"\(name)\"").map { Double($0 &- committed) / 1e6 }
        }
        let after = server.usage
        let time = (after.userTime + after.systemTime - before.userTime - before.systemTime) * 1000
        delays.sort()
        report.note(
            "\(backend), 1,000 watchers of \(what): from a commit of another program to the last byte "
                + String(
                    format: "%.1f ms (median), %.1f ms (99 %%), %.1f ms of processor time for each commit",
                    delays.median, delays[delays.count * 99 / 100], time / Double(commits)))
    }

    private static func measureIdle(_ backend: String, _ url: String, _ report: Report) async throws {
        let server = try serve(url)
        defer { server.stop() }
        let count = 10_000
        let empty = server.usage
        let watchers = try Watchers(
            port: server.port, paths: (0..<count).map { "/employees/\(10_001 + $0 % 1_000)?fields=lastName" })
        try watchers.readEvents(containing: "event: value")
        let start = server.usage
        let seconds = 24
        try await Task.sleep(for: .seconds(seconds))
        let end = server.usage
        let time = end.userTime + end.systemTime - start.userTime - start.systemTime
        report.note(
            "\(backend), \(count) idle watchers: "
                + String(
                    format: "%.2f %% of a processor during two heartbeats, %.1f KB of memory a watcher",
                    100 * time / Double(seconds), Double(end.residentMemory - empty.residentMemory) / Double(count)))
        withExtendedLifetime(watchers) {}
    }

    /// Measures whether memory remains after watchers have left.
    private static func measureDeparture(_ backend: String, _ url: String, _ report: Report) throws {
        let server = try serve(url)
        defer { server.stop() }
        let (count, rounds) = (1_000, 100)
        func comeAndGo() throws {
            let watchers = try Watchers(
                port: server.port, paths: (0..<count).map { "/employees/\(10_001 + $0)?fields=lastName" })
            try watchers.readEvents(containing: "event: value")
        }
        // The first rounds fill caches and pools of memory.
        for _ in 0..<rounds / 5 { try comeAndGo() }
        let first = server.usage.residentMemory
        for _ in rounds / 5..<rounds { try comeAndGo() }
        report.note(
            "\(backend), \(count * rounds) watchers that come and go, \(count) at a time: "
                + String(
                    format: "%.1f MB of memory after the first fifth, %.1f MB at the end", Double(first) / 1024,
                    Double(server.usage.residentMemory) / 1024))
    }
}

/// Streams of events, each on a connection of its own.
private final class Watchers {
    private var descriptors: [Int32] = []
    /// The bytes that each stream has received since its last complete event.
    private var received: [[UInt8]]
    /// The empty line after an event, and the end of its chunk.
    private static let endOfEvent = ArraySlice("\n\n\r\n".utf8)

    /// Opens the streams.
    init(port: Int, paths: [String]) throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        received = paths.map { _ in [] }
        for path in paths {
            let descriptor = try Socket.connect(port: port)
            descriptors.append(descriptor)
            let request = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n"
            guard send(descriptor, request, request.utf8.count, 0) == request.utf8.count else {
                throw Duet.Failure(description: "cannot send a request")
            }
        }
    }

    deinit { for descriptor in descriptors { close(descriptor) } }

    /// Reads until each stream has received an event.
    /// - Parameter text: A part of the event.
    /// - Returns: The moments at which the events were complete, in nanoseconds.
    @discardableResult
    func readEvents(containing text: String) throws -> [UInt64] {
        var moments: [UInt64] = []
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while moments.count < descriptors.count {
            guard poll(&polled, nfds_t(polled.count), 30_000) > 0 else {
                throw Duet.Failure(
                    description: "\(descriptors.count - moments.count) watchers have not received an event")
            }
            for index in polled.indices where polled[index].revents != 0 {
                let count = recv(polled[index].fd, &bytes, bytes.count, 0)
                guard count > 0 else {
                    throw Duet.Failure(
                        description: "a stream has ended: \(String(decoding: received[index], as: UTF8.self))")
                }
                received[index] += bytes[..<count]
                guard received[index].suffix(4) == Self.endOfEvent,
                    String(decoding: received[index], as: UTF8.self).contains(text)
                else { continue }
                moments.append(DispatchTime.now().uptimeNanoseconds)
                received[index] = []
                // poll(2) ignores entries with a negative descriptor.
                polled[index].fd = -1
            }
        }
        return moments
    }
}
