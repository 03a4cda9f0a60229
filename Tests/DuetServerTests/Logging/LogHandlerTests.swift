import DuetServer
import Foundation
import Logging
import Synchronization
import Testing

@Suite struct LogHandlerTests {
    /// Logs to a pipe and returns the lines.
    static func lines(
        _ format: LogFormat, level: Logger.Level = .info, provider: Logger.MetadataProvider? = nil,
        values: LogValues = .included, _ body: (inout Logger) -> Void
    ) throws -> [String] {
        let pipe = Pipe()
        let output = LogOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let factory = format.handlerFactory(level: level, output: output, values: values)
        var logger = Logger(label: "duet") { factory($0, provider) }
        body(&logger)
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text.isEmpty || text.hasSuffix("\n"))
        return text.split(separator: "\n").map(String.init)
    }

    /// Returns the members of each line of JSON.
    static func objects(
        provider: Logger.MetadataProvider? = nil, _ body: (inout Logger) -> Void
    ) throws -> [[String: Any]] {
        try Self.lines(.json, provider: provider, body).map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    @Test("A JSON log line has the timestamp, the level, the label, the message and the metadata, in that order")
    func json() throws {
        let lines = try Self.lines(.json) { logger in
            logger[metadataKey: "request.id"] = "7"
            logger.info("hello", metadata: ["a": "b"])
        }
        let line = try #require(lines.first)
        let pattern = /\{"ts":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z",(.*)/
        let rest = try #require(line.wholeMatch(of: pattern)?.1)
        #expect(rest == #""level":"info","label":"duet","message":"hello","metadata":{"a":"b","request.id":"7"}}"#)
    }

    @Test("A JSON log line without metadata has no metadata member")
    func noMetadata() throws {
        let object = try #require(try Self.objects { $0.notice("x") }.first)
        #expect(Set(object.keys) == ["ts", "level", "label", "message"])
    }

    @Test("A JSON log line is one line of valid JSON for any message")
    func escaping() throws {
        let message = "a\"b\\c\nd\r\u{0}\u{1F}\u{2028}é🐘"
        let object = try #require(try Self.objects { $0.info("\(message)", metadata: ["k\"\n": "\(message)"]) }.first)
        #expect(object["message"] as? String == message)
        #expect((object["metadata"] as? [String: String]) == ["k\"\n": message])
    }

    @Test("Numbers and Booleans in log metadata have JSON types, and values can be nested")
    func values() throws {
        let lines = try Self.lines(.json) { logger in
            logger.info(
                "x",
                metadata: [
                    "a": .stringConvertible(200), "b": .stringConvertible(0.25), "c": .stringConvertible(true),
                    "d": .stringConvertible(Double.nan), "e": ["x", .stringConvertible(1)], "f": ["z": "1", "y": "2"],
                    "g": [], "h": [:], "i": .stringConvertible(Logger.Level.info.rawValue),
                ])
        }
        let expected =
            #""metadata":{"a":200,"b":0.25,"c":true,"d":null,"e":["x",1],"f":{"y":"2","z":"1"},"g":[],"h":{},"i":"info"}}"#
        #expect(lines.first?.hasSuffix(expected) == true)
    }

    @Test("Log metadata of an event overrides metadata of the provider, which overrides metadata of the logger")
    func precedence() throws {
        let provider = Logger.MetadataProvider { ["a": "provider", "b": "provider"] }
        let object = try #require(
            try Self.objects(provider: provider) { logger in
                logger[metadataKey: "a"] = "logger"
                logger[metadataKey: "b"] = "logger"
                logger[metadataKey: "c"] = "logger"
                logger.info("x", metadata: ["a": "event"])
            }.first)
        #expect((object["metadata"] as? [String: String]) == ["a": "event", "b": "provider", "c": "logger"])
    }

    @Test("An error is logged with its text and its type")
    func error() throws {
        struct Failure: Error, CustomStringConvertible { let description = "it failed" }
        let object = try #require(try Self.objects { $0.error("x", error: Failure()) }.first)
        let metadata = try #require(object["metadata"] as? [String: String])
        #expect(metadata["error.message"] == "it failed")
        #expect(metadata["error.type"]?.hasSuffix("Failure") == true)
    }

    @Test("Messages below the log level are not logged", arguments: LogFormat.allCases)
    func level(format: LogFormat) throws {
        let lines = try Self.lines(format, level: .warning) { logger in
            logger.info("no")
            logger.warning("yes")
        }
        #expect(lines.count == 1)
    }

    @Test("A text log line has the timestamp, the level, the label, the message and the metadata")
    func text() throws {
        let lines = try Self.lines(.text) { logger in
            logger.warning(
                "Slow query",
                metadata: ["ms": .stringConvertible(12), "sql": "SELECT 1", "tags": ["a", "b c"], "m": ["k": "v"]])
        }
        let line = try #require(lines.first)
        #expect(
            line.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (.*)/)?.1
                == #"warning duet: Slow query m={k=v} ms=12 sql="SELECT 1" tags=[a, "b c"]"#)
    }

    @Test("Untrusted text in a log line cannot start a new line or control the terminal")
    func textEscaping() throws {
        let lines = try Self.lines(.text) { logger in
            logger.info("a\nb\u{1B}[31m\u{9B}c é", metadata: ["k\r": "x\ty\"z", "e": ""])
        }
        #expect(lines.count == 1)
        #expect(lines.first?.hasSuffix(#"duet: a\nb\u{1b}[31m\u{9b}c é e="" k\r="x\ty\"z""#) == true)
    }

    @Test("The default log format for an output that is not a terminal is JSON")
    func formats() throws {
        let pipe = Pipe()
        #expect(LogFormat.suited(to: LogOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)) == .json)
        #expect(LogFormat(rawValue: "text") == .text)
    }

    @Test("Log lines of concurrent tasks do not interleave")
    func concurrency() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "duet-log-\(UUID()).jsonl").path()
        let descriptor = open(path, O_CREAT | O_WRONLY | O_APPEND, 0o600)
        defer {
            close(descriptor)
            unlink(path)
        }
        let logger = Logger(label: "duet") {
            LineLogHandler(.json, label: $0, output: LogOutput(descriptor: descriptor))
        }
        await withTaskGroup(of: Void.self) { tasks in
            for task in 0..<8 {
                tasks.addTask {
                    for _ in 0..<200 {
                        logger.info("\(String(repeating: "x", count: 1000))", metadata: ["t": "\(task)"])
                    }
                }
            }
        }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let lines = text.split(separator: "\n")
        #expect(lines.count == 1600)
        #expect(lines.allSatisfy { $0.hasPrefix("{\"ts\":") && $0.hasSuffix("\"}}") })
    }
}
