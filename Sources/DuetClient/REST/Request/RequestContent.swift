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

/// A form with fields and files (RFC 7578). The parts are sent in order.
public struct MultipartForm: Sendable {
    /// A field or a file of the form.
    public struct Part: Sendable {
        enum Source: Sendable {
            case data(Data)
            case file(URL)
        }

        let name: String
        let fileName: String?
        let type: String?
        let source: Source

        /// Returns a file part whose content is in memory.
        /// - Parameters:
        ///   - name: The name of the field.
        ///   - data: The content of the file.
        ///   - fileName: The file name that is sent to the server.
        ///   - type: The media type.
        public static func file(
            _ name: String, _ data: Data, fileName: String, type: String = "application/octet-stream"
        ) -> Part {
            Part(name: name, fileName: fileName, type: type, source: .data(data))
        }

        /// Returns a file part whose content is in a file on disk. The file is read when the request is sent.
        /// - Parameters:
        ///   - name: The name of the field.
        ///   - file: The location of the file.
        ///   - fileName: The file name that is sent to the server. The default is the name of the file on disk.
        ///   - type: The media type.
        public static func file(
            _ name: String, contentsOf file: URL, fileName: String? = nil, type: String = "application/octet-stream"
        ) -> Part {
            Part(name: name, fileName: fileName ?? file.lastPathComponent, type: type, source: .file(file))
        }
    }

    /// The fields and files, in order.
    public private(set) var parts: [Part]
    /// The boundary between the parts. It is random, so that it does not occur in a part.
    let boundary: String

    /// Creates a form with the fields followed by the files.
    public init(_ fields: WebServiceArguments = [:], files: [Part] = []) {
        self.init(fields, files: files, boundary: "duet-\(UUID().uuidString)")
    }

    init(_ fields: WebServiceArguments, files: [Part], boundary: String) {
        parts =
            fields.all.map {
                Part(name: $0.name, fileName: nil, type: nil, source: .data(Data($0.value.utf8)))
            } + files
        self.boundary = boundary
    }

    /// The media type with the boundary.
    var type: String { "multipart/form-data; boundary=\(boundary)" }

    /// The error for a form that exceeds the maximum number of bytes.
    struct TooLarge: Error, CustomStringConvertible {
        let limit: Int
        var description: String { "The content is longer than \(limit) bytes." }
    }

    /// Encodes the form.
    /// - Parameter limit: The maximum number of bytes before the closing boundary. If a file is longer than the limit,
    ///   it is not read completely.
    /// - Throws: ``TooLarge``, or the error in reading a file.
    func encode(upTo limit: Int) throws -> Data {
        var bytes = Data()
        for part in parts {
            bytes += Data("--\(boundary)\r\n\(part.head)\r\n\r\n".utf8)
            bytes += try part.source.read(upTo: limit - bytes.count)
            bytes += Data("\r\n".utf8)
            guard bytes.count <= limit else { throw TooLarge(limit: limit) }
        }
        return bytes + Data("--\(boundary)--\r\n".utf8)
    }
}

extension MultipartForm.Part {
    fileprivate var head: String {
        var head = "Content-Disposition: form-data; name=\"\(Self.quoted(name))\""
        if let fileName { head += "; filename=\"\(Self.quoted(fileName))\"" }
        if let type { head += "\r\nContent-Type: \(Self.line(type))" }
        return head
    }

    /// Encodes a name for a quoted string, as browsers do, so that a quote or a line break in the name cannot end the
    /// string.
    private static func quoted(_ name: String) -> String {
        line(name).replacing("\"", with: "%22")
    }

    /// Returns a text in which line breaks are encoded.
    private static func line(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\r"): bytes += "%0D".utf8
            case UInt8(ascii: "\n"): bytes += "%0A".utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension MultipartForm.Part.Source {
    fileprivate func read(upTo limit: Int) throws -> Data {
        switch self {
        case .data(let data): return data
        case .file(let file):
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            // Read one byte more than allowed, so that the caller detects a file that is too large.
            return try handle.read(upToCount: max(0, limit) + 1) ?? Data()
        }
    }
}
