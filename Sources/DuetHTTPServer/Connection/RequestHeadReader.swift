import DuetHTTPSemantics
import HTTPTypes
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Converts a head of NIO's HTTP/1 parser to an `HTTPRequest`, and performs the checks that the parser omits. The heads
/// of HTTP/2 are read in `RequestHeadReader+http2.swift`.
///
/// - `Host`: RFC 9112 §3.2 requires exactly one valid host in every HTTP/1.1 request.
/// - `Transfer-Encoding`: the parser decodes `chunked`, but treats a body with any other coding as plain content
///   (§6.1). HTTP/1.0 does not define the field, so the end of an HTTP/1.0 request with this field is ambiguous.
/// - `Upgrade`: the field is removed unless the request can switch protocols. A request of HTTP/1.0 cannot (RFC 9110
///   §7.8). Neither can a request with a body, or with a method other than GET.
/// - Request target: all four forms (§3.2.1 to §3.2.4) are valid. The authority of the absolute form replaces the
///   `Host` field.
///
/// The parser itself rejects a request with both `Transfer-Encoding` and `Content-Length`, or with several lengths.
struct RequestHeadReader {
    let limits: RequestLimits
    private var fields = HTTPFields()
    private(set) var host: String?
    private(set) var hostCount = 0
    private var contentLength: Int?
    private(set) var traits: RequestTraits = []
    private var hasUpgrade = false
    private var problem: ConnectionProblem?
    private var isChunked: Bool { self.traits.contains(.chunked) }

    enum Result {
        case request(HTTPRequest, RequestTraits)
        case refused(ConnectionProblem)
    }

    /// Reads a head of HTTP/1.
    /// - Parameter isEncrypted: True if the connection is encrypted.
    static func read(_ head: HTTPRequestHead, isEncrypted: Bool, _ limits: RequestLimits) -> Result {
        var reader = RequestHeadReader(limits, fieldCount: head.headers.count)
        for (name, value) in head.headers {
            reader.readField(name: name, value: value)
        }
        return reader.request(head, isEncrypted: isEncrypted)
    }

    init(_ limits: RequestLimits, fieldCount: Int) {
        self.limits = limits
        self.fields.reserveCapacity(fieldCount)
    }

    /// Reads a field.
    mutating func readField(name: String, value: String) {
        // Comparing the first letter skips most fields.
        switch name.utf8.first?.lowercased {
        case UInt8(ascii: "h") where name.equalsIgnoringCase("host"):
            self.host = value.withoutTrailingWhitespace
            self.hostCount += 1
            return
        case UInt8(ascii: "c") where name.equalsIgnoringCase("content-length"):
            self.contentLength = Int(value)
        case UInt8(ascii: "c")
        where !self.limits.longBodyTypes.isEmpty && name.equalsIgnoringCase("content-type")
            && self.limits.longBodyTypes.contains(where: value.isMediaType):
            self.traits.insert(.longBody)
        case UInt8(ascii: "t") where name.equalsIgnoringCase("transfer-encoding"):
            if self.isChunked || !value.equalsIgnoringCase("chunked") { self.problem = .unsupportedTransferCoding }
            self.traits.insert(.chunked)
        case UInt8(ascii: "u") where name.equalsIgnoringCase("upgrade"):
            // NIO's parser stops after a request with `Upgrade`, so such a request is the last one of the connection,
            // even if the server does not switch protocols.
            self.traits.insert(.last)
            self.hasUpgrade = true
        case UInt8(ascii: "e") where name.equalsIgnoringCase("expect"):
            if value.equalsIgnoringCase("100-continue") { self.traits.insert(.expectsContinue) }
        default:
            break
        }
        guard let name = HTTPField.Name(usual: name) ?? HTTPField.Name(name) else {
            self.problem = .malformedRequest
            return
        }
        self.fields.append(HTTPField(name: name, value: value))
    }

    private mutating func request(_ head: HTTPRequestHead, isEncrypted: Bool) -> Result {
        if let problem { return .refused(problem) }
        if head.version == .http1_0 {
            self.traits.insert(.http10)
            if self.isChunked { return .refused(.malformedRequest) }
        }
        if self.hostCount != 1, self.hostCount > 1 || head.version != .http1_0 { return .refused(.invalidHost) }
        if let host, !host.isHost { return .refused(.invalidHost) }
        if !head.isKeepAlive || head.method == .CONNECT { self.traits.insert(.last) }
        guard let target = RequestTarget(head.uri, method: head.method) else { return .refused(.malformedRequest) }
        if self.hasUpgrade {
            if head.method == .GET, !self.traits.contains(.http10), !self.isChunked, self.contentLength ?? 0 == 0 {
                self.traits.insert(.upgrade)
            } else {
                self.fields[.upgrade] = nil
            }
        }
        return self.request(
            head.method, target, isEncrypted: isEncrypted, mayContinue: !self.traits.contains(.http10),
            hasBody: self.isChunked || self.contentLength ?? 0 > 0)
    }

    /// Completes a request of either version.
    /// - Parameters:
    ///   - mayContinue: True if the version has the response 100.
    ///   - hasBody: True if a body can follow.
    mutating func request(
        _ method: HTTPMethod, _ target: RequestTarget, isEncrypted: Bool, mayContinue: Bool = true, hasBody: Bool
    ) -> Result {
        if let problem { return .refused(problem) }
        let maximumExpectedBodySize =
            self.traits.contains(.longBody)
            ? self.limits.maximumExpectedLongBodySize : self.limits.maximumExpectedBodySize
        if method == .HEAD { self.traits.insert(.head) }
        if !mayContinue || !hasBody || self.contentLength ?? 0 > maximumExpectedBodySize {
            self.traits.remove(.expectsContinue)
        }
        guard let method = try? HTTPRequest.Method(method) else { return .refused(.malformedRequest) }
        if let authority = target.authority, !authority.isHost { return .refused(.invalidHost) }
        let request = HTTPRequest(
            method: method, scheme: isEncrypted ? "https" : "http", authority: target.authority ?? self.host,
            path: target.path, headerFields: self.fields)
        return .request(request, self.traits)
    }
}

extension HTTPField.Name {
    /// Creates a frequent name from its usual spelling, without validation and without conversion to lower case. The
    /// result is `nil` for any other text.
    fileprivate init?(usual name: String) {
        switch name {
        case "User-Agent", "user-agent": self = .userAgent
        case "Accept", "accept": self = .accept
        case "Accept-Encoding", "accept-encoding": self = .acceptEncoding
        case "Accept-Language", "accept-language": self = .acceptLanguage
        case "Connection": self = .connection
        case "Content-Type", "content-type": self = .contentType
        case "Content-Length", "content-length": self = .contentLength
        case "If-None-Match", "if-none-match": self = .ifNoneMatch
        default: return nil
        }
    }
}

extension String {
    /// The value of the field without trailing white space, which the parser does not remove (RFC 9112 §5.1).
    fileprivate var withoutTrailingWhitespace: String {
        guard let last = self.utf8.last, last == .space || last == .tab else { return self }
        return String(decoding: self.utf8.reversed().drop { $0 == .space || $0 == .tab }.reversed(), as: UTF8.self)
    }

    /// Returns true if the value of `Content-Type` begins with a media type.
    fileprivate func isMediaType(_ type: String) -> Bool {
        let (value, type) = (self.utf8, type.utf8)
        guard value.count >= type.count, zip(value, type).allSatisfy({ $0.lowercased == $1 }) else { return false }
        let next = value.dropFirst(type.count).first
        return next == nil || next == .semicolon || next == .space || next == .tab
    }

    fileprivate func equalsIgnoringCase(_ other: StaticString) -> Bool {
        var text = self
        return text.withUTF8 { $0.equalsIgnoringCase(other) }
    }
}

/// The properties of a request that the connection needs until the response has ended.
package struct RequestTraits: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    package let rawValue: UInt8

    /// Creates a set from its bits.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The method is HEAD. The response has no body, regardless of its fields (RFC 9110 §9.3.2).
    package static let head = RequestTraits(rawValue: 1)
    /// The client uses HTTP/1.0. It receives no chunks and no informational responses, and the connection persists only
    /// with `Connection: keep-alive`.
    package static let http10 = RequestTraits(rawValue: 2)
    /// The connection ends after the response, because the client has requested the end of the connection, or because
    /// no further request can be read.
    package static let last = RequestTraits(rawValue: 4)
    /// The client waits for a 100 before it sends the body (RFC 9110 §10.1.1).
    package static let expectsContinue = RequestTraits(rawValue: 8)
    /// The body is chunked (RFC 9112 §7.1).
    package static let chunked = RequestTraits(rawValue: 16)
    /// The media type of the body is one of ``RequestLimits/longBodyTypes``.
    package static let longBody = RequestTraits(rawValue: 32)
    /// The request has an `Upgrade` field, and a response 101 can switch the connection to another protocol.
    package static let upgrade = RequestTraits(rawValue: 64)
}
