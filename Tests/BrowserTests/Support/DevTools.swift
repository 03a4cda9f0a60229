import DuetJSON
import Foundation
import Synchronization

/// The Chrome DevTools protocol over a pair of pipes: JSON messages, each terminated by a zero byte.
final class DevTools: Sendable {
    /// A message from the browser that is not a response to a command.
    struct Event: Sendable {
        let method: String
        let parameters: JSONValue
    }

    /// The error of a command that the browser rejected, or that was sent after the browser exited.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private struct State {
        var lastIdentifier = 0
        var waiting: [Int: CheckedContinuation<JSONValue, any Error>] = [:]
        var listeners: [String: @Sendable (Event) -> Void] = [:]
        var hasEnded = false
    }

    private let input: Int32
    private let output: Int32
    private let state = Mutex(State())
    private let writing = Mutex(())

    init(_ process: BrowserProcess) {
        input = process.input
        output = process.output
        Thread.detachNewThread { [self] in read() }
    }

    /// Registers a listener for the events of a session.
    func listen(to session: String, _ listener: @escaping @Sendable (Event) -> Void) {
        state.withLock { $0.listeners[session] = listener }
    }

    /// Sends a command and waits for its result.
    func send(_ method: String, _ parameters: JSONValue = [:], session: String? = nil) async throws -> JSONValue {
        let identifier = state.withLock { state in
            state.lastIdentifier += 1
            return state.lastIdentifier
        }
        var message: JSONValue = [
            "id": .integer(Int64(identifier)), "method": .string(method), "params": parameters,
        ]
        if let session, case .object(var object) = message {
            object["sessionId"] = .string(session)
            message = .object(object)
        }
        let bytes = Array(message.compactText.utf8) + [0]
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let hasEnded = state.withLock { state in
                    if !state.hasEnded { state.waiting[identifier] = continuation }
                    return state.hasEnded
                }
                if hasEnded {
                    continuation.resume(throwing: Failure(description: "The browser exited; \(method) was not sent."))
                } else {
                    write(bytes)
                }
            }
        } onCancel: {
            let continuation = state.withLock { $0.waiting.removeValue(forKey: identifier) }
            continuation?.resume(throwing: CancellationError())
        }
    }

    private func write(_ bytes: [UInt8]) {
        writing.withLock { _ in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Foundation.write(input, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                // The reader detects the exit of the browser.
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    private func read() {
        var pending: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Foundation.read(output, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            // memchr is much faster than a search in an array without optimization.
            bytes.withUnsafeBytes { bytes in
                var piece = UnsafeRawBufferPointer(rebasing: bytes[..<count])
                while let start = piece.baseAddress, let end = memchr(start, 0, piece.count) {
                    let length = UnsafeRawPointer(end) - start
                    pending.append(contentsOf: UnsafeRawBufferPointer(rebasing: piece[..<length]))
                    receive(pending)
                    pending.removeAll(keepingCapacity: true)
                    piece = UnsafeRawBufferPointer(rebasing: piece[(length + 1)...])
                }
                pending.append(contentsOf: piece)
            }
        }
        close(output)
        let left = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [:] }
            return state.waiting.values.map { $0 }
        }
        for continuation in left { continuation.resume(throwing: Failure(description: "The browser exited.")) }
    }

    private func receive(_ bytes: [UInt8]) {
        guard let message = try? JSONValue(parsing: bytes, maximumDepth: 512) else { return }
        if let identifier = message["id"]?.integer {
            let continuation = state.withLock { $0.waiting.removeValue(forKey: identifier) }
            if let error = message["error"] {
                continuation?.resume(throwing: Failure(description: error["message"]?.string ?? error.compactText))
            } else {
                continuation?.resume(returning: message["result"] ?? [:])
            }
        } else if let method = message["method"]?.string {
            let session = message["sessionId"]?.string ?? ""
            let listener = state.withLock { $0.listeners[session] }
            listener?(Event(method: method, parameters: message["params"] ?? [:]))
        }
    }
}

extension DevTools {
    /// Runs a browser while the closure runs.
    static func withBrowser<Value>(_ body: (DevTools) async throws -> Value) async throws -> Value {
        let process = try BrowserProcess()
        let devTools = DevTools(process)
        defer { process.end() }
        return try await body(devTools)
    }
}
