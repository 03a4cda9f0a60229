public import Foundation

/// The content of a request, with its media type.
public struct RequestContent: Sendable {
    /// The media type for the `Content-Type` field.
    public let type: String
    /// Encodes the content. The arguments are ``WebServiceProxy/encoder`` and ``WebServiceProxy/maximumFormLength``.
    /// Only a multipart form is limited to this length.
    let encode: @Sendable (_ encoder: JSONEncoder, _ limit: Int) throws -> Data

    /// Returns content that ``WebServiceProxy/encoder`` encodes as JSON.
    /// - Parameters:
    ///   - value: The value.
    ///   - type: The media type, for example `application/merge-patch+json`.
    public static func json(_ value: some Encodable & Sendable, type: String = "application/json") -> RequestContent {
        RequestContent(type: type) { encoder, _ in try encoder.encode(value) }
    }

    /// Returns a form of the type `application/x-www-form-urlencoded`.
    public static func form(_ arguments: WebServiceArguments) -> RequestContent {
        RequestContent(type: "application/x-www-form-urlencoded") { _, _ in Data(arguments.encoded.utf8) }
    }

    /// Returns a form of the type `multipart/form-data` (RFC 7578).
    public static func multipart(_ form: MultipartForm) -> RequestContent {
        RequestContent(type: form.type) { _, limit in try form.encode(upTo: limit) }
    }

    /// Returns content that is already encoded.
    public static func data(_ data: Data, type: String) -> RequestContent {
        RequestContent(type: type) { _, _ in data }
    }
}
