import HTTPTypes
import NIOHPACK

extension HPACKHeaders {
    /// The fields of the head of a response (RFC 9113, section 8.3.2).
    init(_ response: HTTPResponse) {
        self.init()
        self.reserveCapacity(response.headerFields.count + 1)
        self.add(name: ":status", value: String(response.status.code))
        self.add(response.headerFields)
    }

    /// Trailers.
    init(_ trailers: HTTPFields) {
        self.init()
        self.add(trailers)
    }

    private mutating func add(_ fields: HTTPFields) {
        for field in fields {
            let name = field.name.canonicalName
            switch name {
            case "connection", "keep-alive", "transfer-encoding", "upgrade":
                // The framing of HTTP/2 replaces these fields (section 8.2.2).
                continue
            case "content-length", "date", "etag", "server-timing", "x-request-id":
                // The value differs in nearly every response. In the compression table, it would displace other values.
                self.add(name: name, value: field.value, indexing: .nonIndexable)
            default:
                self.add(name: name, value: field.value)
            }
        }
    }
}

extension HTTPFields {
    /// Trailers of a request. NIO has checked their names.
    init(trailers: HPACKHeaders) {
        self.init()
        for (name, value, _) in trailers {
            if let name = HTTPField.Name(parsed: name) { self.append(HTTPField(name: name, value: value)) }
        }
    }
}
