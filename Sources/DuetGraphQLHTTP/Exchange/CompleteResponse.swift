package import DuetGraphQL
package import HTTPTypes
package import NIOCore

/// A response that is complete before it is sent, in contrast to a response in parts: the content, and the parts of the
/// HTTP response that do not depend on the server.
package struct CompleteResponse: Sendable {
    /// The media type of the content.
    package let mediaType: GraphQLMediaType
    /// The status.
    package let status: HTTPResponse.Status
    /// The header fields of the error of a rejected request, such as `Allow`.
    package let fields: HTTPFields
    /// The errors of the content, with underlying errors for a log. They are empty for a list of responses.
    package let errors: [GraphQLError]
    /// The cache policy; nil if caches must not reuse the response.
    package let cachePolicy: CachePolicy?
    private let json: ByteBuffer

    /// The content.
    package var body: ByteBuffer { mediaType.framed(json) }

    /// Creates the response with the result of an operation, or with the errors of its document or its variables.
    init(_ response: consuming GraphQLResponse, as mediaType: GraphQLMediaType) {
        if response.kind == .requestError { response = response.coded() }
        self.mediaType = mediaType
        status = mediaType.status(for: response)
        fields = [:]
        errors = response.errors
        cachePolicy = response.cachePolicy
        json = response.body
    }

    /// Creates the response to a list of requests.
    /// - Parameter list: The list of the responses as JSON.
    init(list: ByteBuffer, as mediaType: GraphQLMediaType) {
        self.mediaType = mediaType
        status = .ok
        fields = [:]
        errors = []
        cachePolicy = nil
        json = list
    }

    /// Creates the response to a rejected request.
    package init(_ error: GraphQLRequestError, as mediaType: GraphQLMediaType) {
        let response = error.response
        self.mediaType = mediaType
        status = mediaType.isGraphQL ? error.status : error.statusOfJSON
        fields = error.fields
        errors = response.errors
        cachePolicy = nil
        json = response.body
    }
}
