import DuetHTTPServer

/// The entity tag of the representation that a client has: in quotes or not, strong or weak, and with or without the
/// suffix of a content coding. A proxy that compresses a response makes its tag weak.
struct KnownTag: Sendable {
    private let opaque: String

    init(_ text: String) {
        var text = text[...]
        if text.hasPrefix("W/") { text = text.dropFirst(2) }
        if text.hasPrefix("\""), text.hasSuffix("\""), text.count >= 2 { text = text.dropFirst().dropLast() }
        opaque = String(text)
    }

    func matches(_ tag: BodyTag) -> Bool {
        var opaque = opaque
        return opaque.withUTF8 { tag.matches(opaque: $0) }
    }
}
