public import Foundation

/// The content of a request, with its media type.
public struct RequestContent: Sendable {
    /// The media type, as in `Content-Type`.
    public let type: String
    /// Makes the bytes, with the encoder and the maximum length of the proxy.
    let encode: @Sendable (_ encoder: JSONEncoder, _ limit: Int) throws -> Data

    /// A value as JSON, encoded by ``WebServiceProxy/encoder``.
    /// - Parameters:
    ///   - value: The value.
    ///   - type: Another media type of JSON, such as `application/merge-patch+json`.
    public static func json(_ value: some Encodable & Sendable, type: String = "application/json") -> RequestContent {
        RequestContent(type: type) { encoder, _ in try encoder.encode(value) }
    }

    /// A form as `application/x-www-form-urlencoded`.
    public static func form(_ arguments: WebServiceArguments) -> RequestContent {
        RequestContent(type: "application/x-www-form-urlencoded") { _, _ in Data(arguments.encoded.utf8) }
    }

    /// A form as `multipart/form-data` (RFC 7578).
    public static func multipart(_ form: MultipartForm) -> RequestContent {
        RequestContent(type: form.type) { _, limit in try form.encode(upTo: limit) }
    }

    /// Bytes of any type.
    public static func data(_ data: Data, type: String) -> RequestContent {
        RequestContent(type: type) { _, _ in data }
    }
}
