package import AsyncHTTPClient
package import DuetJSON
import Foundation
import NIOCore
import NIOHTTP1

/// Reads server-sent events of a response (WHATWG HTML, section 9.2.6).
package struct EventReader {
    /// An event.
    package struct Event {
        package var name = "message"
        package var identifier: String?
        package var data = ""

        /// The content as JSON.
        package var json: JSONValue { get throws { try JSONValue(parsing: Data(data.utf8)) } }
    }

    private var pieces: HTTPClientResponse.Body.AsyncIterator
    private var text = ""

    package init(_ response: HTTPClientResponse) { pieces = response.body.makeAsyncIterator() }

    /// Returns the next event; nil at the end of the response. Comments are skipped.
    package mutating func next() async throws -> Event? {
        while let block = try await nextBlock() {
            if let event = Self.event(block) { return event }
        }
        return nil
    }

    /// Waits for the next comment, and skips events.
    /// - Returns: False at the end of the response.
    package mutating func comment() async throws -> Bool {
        while let block = try await nextBlock() {
            if block.hasPrefix(":") { return true }
        }
        return false
    }

    private mutating func nextBlock() async throws -> String? {
        while true {
            if let end = text.range(of: "\n\n") {
                defer { text = String(text[end.upperBound...]) }
                return String(text[..<end.lowerBound])
            }
            guard let piece = try await pieces.next() else { return nil }
            text += String(buffer: piece)
        }
    }

    private static func event(_ block: String) -> Event? {
        var event = Event()
        var isEvent = false
        for line in block.split(separator: "\n") where !line.hasPrefix(":") {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count == 2 ? parts[1].drop { $0 == " " } : ""
            isEvent = isEvent || parts[0] == "event" || parts[0] == "data"
            switch parts[0] {
            case "event": event.name = String(value)
            case "id": event.identifier = String(value)
            case "data": event.data += value
            default: break
            }
        }
        return isEvent ? event : nil
    }
}

extension HTTPEndpoint {
    /// Sends a request for events.
    package func events(
        _ method: String, _ path: String, _ headers: [String: String] = [:], body: String? = nil
    ) async throws -> EventReader {
        let fields = ["Accept": "text/event-stream"].merging(headers) { $1 }
        let response = try await stream(method, path, fields, body: body)
        guard response.status == .ok else {
            throw UnexpectedStatus(
                description: "\(response.status): \(String(buffer: try await response.body.collect(upTo: 1 << 20)))")
        }
        return EventReader(response)
    }
}

private struct UnexpectedStatus: Error, CustomStringConvertible { let description: String }
