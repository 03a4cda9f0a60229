import DuetJSON
import DuetJSONWriter
import DuetResourceService
import NIOCore

/// An OpenAPI document as JSON.
struct OpenAPIJSON: OpenAPIOutput {
    /// The members, separated by commas, without the braces of the object.
    private var writer = JSONWriter(capacity: 0)

    /// The text of the whole object.
    var document: ByteBuffer {
        consuming get {
            writer.write(byte: UInt8(ascii: "}"))
            return writer.buffer
        }
    }

    init() {}

    func nested() -> OpenAPIJSON { OpenAPIJSON() }

    mutating func add(_ name: String, _ value: JSONValue) {
        add(name)
        writer.write(value)
    }

    mutating func add(_ name: String, _ object: consuming OpenAPIJSON) {
        add(name)
        if object.writer.buffer.readableBytes == 0 { writer.write(byte: UInt8(ascii: "{")) }
        writer.buffer.writeBuffer(&object.writer.buffer)
        writer.write(byte: UInt8(ascii: "}"))
    }

    /// Writes the opening brace or a comma, and the name.
    private mutating func add(_ name: String) {
        writer.write(byte: UInt8(ascii: writer.buffer.readableBytes == 0 ? "{" : ","))
        writer.write(.string(name))
        writer.write(byte: UInt8(ascii: ":"))
    }
}
