import DuetJSON

/// An HTTP request of the comparison.
struct Request: Sendable, Hashable {
    enum Method: String, Sendable, Hashable {
        case get = "GET"
        case post = "POST"
        case patch = "PATCH"
        case put = "PUT"
        case delete = "DELETE"
    }

    var method = Method.get
    /// The path and the query, percent-encoded.
    var target: String
    /// The JSON request body.
    var body: String?
    /// The entity tag that the row must have (`If-Match`); nil for any state of the row.
    var ifMatch: String?
    /// The entity tag of the representation that the client has (`If-None-Match`); nil without one.
    var ifNoneMatch: String?
    /// The preferences of the client (`Prefer`); nil without one.
    var prefer: String?
    /// The media types that the client accepts.
    var accept = "application/json"
    /// The value of the header field `X-Run`. An intermediate cache includes it in the key of a response, so that
    /// different runs do not share responses.
    var run: String?
    /// True for each request of a task that writes. Such a request is never canceled. Otherwise, the server could
    /// execute it after the runner has restored the old value.
    var isOfWritingTask = false
    /// The expected status. Any other status is a failure of the comparison.
    var expectedStatus = 200
    /// The expected length of the response body without content coding; nil until the request was sent once. A
    /// different length indicates a GraphQL error, because a GraphQL response with errors also has status 200.
    var expectedLength: Int?

    /// Creates a GET request.
    static func get(_ target: String, accept: String = "application/json", expecting status: Int = 200) -> Request {
        Request(target: target, accept: accept, expectedStatus: status)
    }
}

/// A response of the server, with its body parsed as JSON.
struct ServerResponse: Sendable {
    let status: Int
    /// The body. A body of JSON lines is an array.
    let body: JSONValue
    /// The body, or null if the status is 404.
    var value: JSONValue { status == 404 ? .null : body }
    /// The path and the query of the next page; nil if there is no next page (`Link`, RFC 8288).
    let next: String?
}
