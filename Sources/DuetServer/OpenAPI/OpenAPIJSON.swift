import DuetGraphQL
import DuetHTTPServer
import DuetJSON
import DuetResourceService
import NIOCore

/// An OpenAPI document as JSON.
struct OpenAPIJSON: OpenAPITextOutput {
    private var writer = JSONWriter(capacity: 0)
    /// True if the open object has no member yet.
    private var isEmpty = true
    private let receive: (ByteBuffer) throws -> Void
    /// The text of a part; nil for the document.
    private let storage: CompressedBody.Writer?

    init(to receive: @escaping (ByteBuffer) throws -> Void) {
        self.receive = receive
        storage = nil
        writer.write(byte: UInt8(ascii: "{"))
    }

    private init(part storage: CompressedBody.Writer) {
        receive = storage.write
        self.storage = storage
    }

    func part(depth _: Int) throws -> OpenAPIJSON { OpenAPIJSON(part: try Self.partStorage()) }

    mutating func add(_ name: String, _ value: JSONValue) throws {
        writeName(name)
        writer.write(value)
        try flush(if: writer.buffer.readableBytes >= Self.pieceSize)
    }

    mutating func open(_ name: String) {
        writeName(name)
        writer.write(byte: UInt8(ascii: "{"))
        isEmpty = true
    }

    mutating func close() {
        writer.write(byte: UInt8(ascii: "}"))
        isEmpty = false
    }

    mutating func add(_ part: consuming OpenAPIJSON) throws {
        guard !part.isEmpty else { return }
        separate()
        try flush(if: true)
        try part.flush(if: true)
        try part.storage?.finish().forEachPiece(receive)
    }

    mutating func finish() throws {
        close()
        try flush(if: true)
    }

    private mutating func writeName(_ name: String) {
        separate()
        writer.write(.string(name))
        writer.write(byte: UInt8(ascii: ":"))
    }

    /// Writes a comma, except before the first member of an object.
    private mutating func separate() {
        if !isEmpty { writer.write(byte: UInt8(ascii: ",")) }
        isEmpty = false
    }

    private mutating func flush(if isFull: Bool) throws {
        guard isFull else { return }
        try receive(writer.buffer)
        writer.buffer.clear()
    }
}
