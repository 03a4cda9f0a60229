public import Foundation

/// A form with files (RFC 7578). The parts are sent in their order.
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

        /// A file in memory.
        /// - Parameters:
        ///   - name: The name of the field.
        ///   - data: The content of the file.
        ///   - fileName: The name that the server receives for the file.
        ///   - type: The media type.
        public static func file(
            _ name: String, _ data: Data, fileName: String, type: String = "application/octet-stream"
        ) -> Part {
            Part(name: name, fileName: fileName, type: type, source: .data(data))
        }

        /// A file on disk, which is read when the request is sent.
        /// - Parameters:
        ///   - name: The name of the field.
        ///   - file: The address of the file.
        ///   - fileName: The name that the server receives for the file; by default that of the file.
        ///   - type: The media type.
        public static func file(
            _ name: String, contentsOf file: URL, fileName: String? = nil, type: String = "application/octet-stream"
        ) -> Part {
            Part(name: name, fileName: fileName ?? file.lastPathComponent, type: type, source: .file(file))
        }
    }

    /// The fields and files, in their order.
    public private(set) var parts: [Part]
    /// The separator. It is random, so that no part contains it.
    let boundary: String

    /// A form of fields, then files.
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

    /// The form was not made, because a file is too large.
    struct TooLarge: Error, CustomStringConvertible {
        let limit: Int
        var description: String { "The content is longer than \(limit) bytes." }
    }

    /// Makes the bytes of the form.
    /// - Parameter limit: The maximum number of bytes. A longer file is not read to its end.
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

    /// A name between quotes, encoded as browsers do: a quote or an end of line cannot end the field.
    private static func quoted(_ name: String) -> String {
        line(name).replacing("\"", with: "%22")
    }

    /// A text that stays on its line.
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
            // One byte more, so that the caller sees that the file is too large.
            return try handle.read(upToCount: max(0, limit) + 1) ?? Data()
        }
    }
}
