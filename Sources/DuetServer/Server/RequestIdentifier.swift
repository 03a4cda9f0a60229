import DuetHTTPSemantics
import DuetHTTPServer
import HTTPTypes
import Synchronization

// Each name is a token (RFC 9110 §5.1), so none of the initializers returns `nil`.
// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
    static let requestID = HTTPField.Name("X-Request-ID")!
    static let serverTiming = HTTPField.Name("Server-Timing")!
    static let totalCount = HTTPField.Name("Total-Count")!
    static let mismatches = HTTPField.Name("Duet-Mismatches")!
    static let origin = HTTPField.Name("Origin")!
    static let link = HTTPField.Name("Link")!
    static let surrogateKey = HTTPField.Name("Surrogate-Key")!
    static let cacheTag = HTTPField.Name("Cache-Tag")!
    static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
    static let idempotencyReplayed = HTTPField.Name("Idempotency-Replayed")!
    static let databasePosition = HTTPField.Name("Duet-Database-Position")!
    static let duetRole = HTTPField.Name("Duet-Role")!
    /// The identifier of the last event that a client has received (WHATWG HTML, section 9.2.4).
    static let lastEventID = HTTPField.Name("Last-Event-ID")!
    static let accelBuffering = HTTPField.Name("X-Accel-Buffering")!
}

/// Identifies requests by the client's `X-Request-ID` if it is valid, and otherwise by a generated identifier.
enum RequestIdentifier {
    private static let next = Atomic<UInt64>(UInt64.random(in: 0 ... .max))

    /// Returns the client's identifier if it consists of 1 to 128 of the characters `A-Za-z0-9._~:/+=-`, otherwise a
    /// new identifier. These characters need no escaping in a log line, a header field or a page.
    static func of(_ fields: HTTPFields) -> String {
        if let given = fields.value(of: .requestID), isFit(given) { return given }
        return new()
    }

    /// Returns a unique identifier.
    static func new() -> String {
        let number = next.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
        let digits = String(number, radix: 16)
        return digits.utf8.count == 16 ? digits : String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    private static func isFit(_ text: String) -> Bool {
        let count = text.utf8.count
        return count > 0 && count <= 128
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "+"), UInt8(ascii: "="): true
                default: byte.isUnreserved
                }
            }
    }
}
