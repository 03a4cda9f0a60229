package import Foundation

/// Another process that has opened a SQLite file with its own locks. Only one thread at a time may use an instance.
package final class SQLiteProcess: @unchecked Sendable {
    package struct Failure: Error {
        package let message: String
    }

    private static let script = """
        import sqlite3, sys
        connection = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=0)
        for line in sys.stdin:
            try:
                print(connection.execute(line).fetchall(), flush=True)
            except sqlite3.Error as error:
                print("error:", error, flush=True)
        connection.close()
        """

    private let process = Process()
    private let input = Pipe.ofOneProcess
    private let output = Pipe.ofOneProcess

    package init(_ path: String) throws {
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.script, path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// Runs statements, each in its own transaction unless one of them is BEGIN.
    /// - Returns: The rows of the last statement, as Python prints them.
    @discardableResult
    package func run(_ statements: String...) throws -> String {
        var answer = ""
        for statement in statements {
            try input.fileHandleForWriting.write(contentsOf: Data("\(statement)\n".utf8))
            var line = Data()
            while line.last != UInt8(ascii: "\n") {
                guard let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty else {
                    throw Failure(message: "the process has ended")
                }
                line.append(byte)
            }
            answer = String(decoding: line.dropLast(), as: UTF8.self)
            if answer.hasPrefix("error:") { throw Failure(message: answer) }
        }
        return answer
    }

    /// Closes the connection and ends the process.
    package func close() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Ends the process without closing the connection.
    package func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Runs statements in a process that closes the file afterwards.
    package static func run(_ path: String, _ statements: [String]) throws {
        let process = try SQLiteProcess(path)
        for statement in statements { try process.run(statement) }
        try process.close()
    }
}

extension Pipe {
    /// A pipe that no other program inherits. A copy of an end in another process would keep the pipe open.
    package static var ofOneProcess: Pipe {
        let pipe = Pipe()
        for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
            _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        return pipe
    }
}
