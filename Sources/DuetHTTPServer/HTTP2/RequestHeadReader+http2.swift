import DuetHTTPSemantics
import NIOHPACK
import NIOHTTP1

extension RequestHeadReader {
    /// Reads the head of a request of HTTP/2 (RFC 9113, section 8.3.1). NIO has checked that the pseudo-header fields
    /// are complete and in order, and that no field belongs to the framing of HTTP/1.
    /// - Parameters:
    ///   - isEncrypted: True if the connection is encrypted.
    ///   - hasBody: True if the head is not the end of the stream.
    static func read(_ headers: HPACKHeaders, isEncrypted: Bool, hasBody: Bool, _ limits: RequestLimits) -> Result {
        var reader = RequestHeadReader(limits, fieldCount: headers.count)
        return reader.read(headers, isEncrypted: isEncrypted, hasBody: hasBody)
    }

    private mutating func read(_ headers: HPACKHeaders, isEncrypted: Bool, hasBody: Bool) -> Result {
        var method: String?
        var path: String?
        var authority: String?
        var size = 0
        var pseudoCount = 0
        for (name, value, _) in headers {
            size += name.utf8.count + value.utf8.count
            guard max(name.utf8.count, value.utf8.count) <= self.limits.maximumFieldSize else {
                return .refused(name == ":path" ? .targetTooLong : .fieldsTooLarge)
            }
            guard name.utf8.first == .colon else {
                self.readField(name: name, value: value)
                continue
            }
            pseudoCount += 1
            switch name {
            case ":method": method = value
            case ":path": path = value
            case ":authority": authority = value
            default: break
            }
        }
        guard size <= self.limits.maximumHeadSize, headers.count - pseudoCount <= self.limits.maximumFieldCount else {
            return .refused(.fieldsTooLarge)
        }
        let nioMethod = HTTPMethod(rawValue: method ?? "")
        if case .RAW = nioMethod { return .refused(.unknownMethod) }
        guard self.isValidHost(authority) else { return .refused(.invalidHost) }
        guard let target = RequestTarget(path: path, authority: authority, method: nioMethod) else {
            return .refused(.malformedRequest)
        }
        return self.request(nioMethod, target, isEncrypted: isEncrypted, hasBody: hasBody)
    }

    /// Returns true if the request has exactly one valid host: `:authority`, `Host`, or both with the same value.
    private func isValidHost(_ authority: String?) -> Bool {
        guard let host = authority ?? self.host, !host.isEmpty, host.isHost, self.hostCount <= 1 else { return false }
        return self.host.map { $0.lowercased() == host.lowercased() } ?? true
    }
}
