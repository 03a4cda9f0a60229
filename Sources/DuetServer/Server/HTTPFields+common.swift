import DuetHTTPSemantics
import HTTPTypes

extension HTTPFields {
    private static let noSniffing = HTTPField(name: .xContentTypeOptions, value: "nosniff")

    /// Adds the header fields of every response: the date, the request identifier, and `X-Content-Type-Options`. The
    /// latter makes a browser interpret the content strictly by its media type (WHATWG Fetch, "`X-Content-Type-Options`
    /// header").
    mutating func addCommonFields(requestID: String) {
        append(HTTPField(name: .date, value: HTTPDate.now))
        append(HTTPField(name: .requestID, value: requestID))
        append(Self.noSniffing)
    }
}
