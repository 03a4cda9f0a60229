import DuetJSON

/// An HTTP request of the comparison.
struct Request: Sendable, Hashable {
    enum Method: String, Sendable, Hashable {
        case get = "GET"
        case post = "POST"
        case patch = "PATCH"
    }

    var method = Method.get
    /// Path and query, encoded.
    var target: String
    /// The JSON request body.
    var body: String?
    /// The accepted media types.
    var accept = "application/json"
    /// The value of `X-Run`. An embedded cache uses it as part of the key, so that runs do not share responses.
    var run: String?
    /// True for each request of a task that writes. Such a request is never cancelled, because the server might still
    /// execute it after the runner has restored the old value.
    var isOfWritingTask = false
    /// The expected status. Any other status is a failure of the comparison.
    var expectedStatus = 200
    /// The expected length of the response body without content coding; nil until the request was sent once. The length
    /// detects GraphQL errors, which also have status 200.
    var expectedLength: Int?

    /// Creates a GET request.
    static func get(_ target: String, accept: String = "application/json", expecting status: Int = 200) -> Request {
        Request(target: target, accept: accept, expectedStatus: status)
    }
}

/// A response of the server, with its body parsed as JSON.
struct ServerResponse: Sendable {
    let status: Int
    /// The body. JSON lines are represented as an array.
    let body: JSONValue
    /// The body, or null if the address does not exist.
    var value: JSONValue { status == 404 ? .null : body }
    /// The path and query of the next page, if there is one (`Link`, RFC 8288).
    let next: String?
}
