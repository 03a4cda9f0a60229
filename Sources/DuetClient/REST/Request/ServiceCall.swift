import Foundation
import HTTPTypes

/// A request of a ``WebServiceProxy`` without the header fields that all its requests have.
struct ServiceCall: Sendable {
    let method: HTTPRequest.Method
    let address: ServiceAddress
    /// The header fields of the call, including those of its content and its precondition.
    var headerFields: HTTPFields
    let body: Data?

    /// Returns the head of the request.
    /// - Parameter common: The header fields of all requests of the proxy.
    func head(_ common: HTTPFields) -> HTTPRequest {
        var fields = common
        // The content of the call determines its type.
        fields[.contentType] = nil
        fields.replace(with: headerFields)
        return HTTPRequest(
            method: method, scheme: address.scheme, authority: address.authority, path: address.pathAndQuery,
            headerFields: fields)
    }
}

extension WebServiceProxy {
    /// Prepares a call: checks its address and encodes its content.
    func prepare(
        _ method: HTTPRequest.Method, _ path: ResourcePath, arguments: WebServiceArguments, content: RequestContent?,
        precondition: Precondition?, headerFields: HTTPFields, accept: String
    ) throws(WebServiceError) -> ServiceCall {
        let address = try address(of: path, arguments: arguments)
        var fields: HTTPFields = [.accept: accept]
        fields[.contentType] = content?.type
        if let field = precondition?.field { fields[field.name] = field.value }
        fields.replace(with: headerFields)
        let body = try content.map { content throws(WebServiceError) in try encode(content) }
        return ServiceCall(method: method, address: address, headerFields: fields, body: body)
    }

    private func encode(_ content: RequestContent) throws(WebServiceError) -> Data {
        do {
            return try content.encode(encoder, maximumFormLength)
        } catch {
            throw WebServiceError(
                .invalidRequest, "The content of the type \(content.type) cannot be encoded: \(error)",
                underlyingError: error)
        }
    }
}
