import HTTPSemantics
import HTTPTypes

extension HTTPFields {
    private static let noSniffing = HTTPField(name: .xContentTypeOptions, value: "nosniff")

    /// Adds the fields that every response has: the date, its request's identifier, and `X-Content-Type-Options`, by which a browser takes
    /// the content as its media type says and as nothing else (WHATWG Fetch, "`X-Content-Type-Options` header").
    mutating func addCommonFields(requestID: String) {
        append(HTTPField(name: .date, value: HTTPDate.now))
        append(HTTPField(name: .requestID, value: requestID))
        append(Self.noSniffing)
    }
}
