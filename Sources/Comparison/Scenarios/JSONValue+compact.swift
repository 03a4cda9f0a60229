import DuetJSON
import NIOCore

extension JSONValue {
    /// As a text without white space.
    var compact: String {
        var writer = JSONWriter()
        writer.write(self)
        return String(buffer: writer.buffer)
    }
}
