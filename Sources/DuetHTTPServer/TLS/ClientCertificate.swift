package import NIOCore
import NIOSSL

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The other end of a connection.
package struct ConnectionPeer: Sendable {
    /// The address of the client.
    package let address: SocketAddress?
    /// The certificate of the client, which one of the accepted authorities has issued; nil without one.
    package let certificate: ClientCertificate?
    /// The version of HTTP on the connection.
    package let version: HTTPVersion

    /// Creates a peer.
    package init(address: SocketAddress?, certificate: ClientCertificate? = nil, version: HTTPVersion = .http1) {
        self.address = address
        self.certificate = certificate
        self.version = version
    }
}

/// The certificate of a client, which has been verified.
package struct ClientCertificate: Sendable, Hashable {
    /// The distinguished name of the client as a text (RFC 4514), such as `CN=reports,O=Example`.
    package let subject: String
    /// The last common name of the subject; nil if it has none.
    package let commonName: String?
    /// The time when the certificate expires, in seconds since 1970.
    package let expiresAt: Int64

    /// An error: the bytes are not a certificate.
    package struct Unreadable: Error {}
    /// An error: the certificate has expired.
    struct Expired: Error {}

    /// Reads a certificate.
    /// - Parameters:
    ///   - der: The encoded certificate (RFC 5280, section 4.1).
    ///   - expiresAt: The time when the certificate expires, in seconds since 1970.
    /// - Throws: ``Unreadable`` if the bytes are not a certificate.
    package init(der: [UInt8], expiresAt: Int64) throws {
        self.expiresAt = expiresAt
        var certificate = DERReader(der[...])
        // Certificate → tbsCertificate: version (optional), serialNumber, signature, issuer, validity, subject.
        guard var certificate = certificate.read(DERReader.sequence), var fields = certificate.read(DERReader.sequence)
        else { throw Unreadable() }
        _ = fields.read(0xA0)
        guard fields.read(0x02) != nil, fields.read(DERReader.sequence) != nil, fields.read(DERReader.sequence) != nil,
            fields.read(DERReader.sequence) != nil, let subject = fields.read(DERReader.sequence),
            let name = DistinguishedName(subject)
        else { throw Unreadable() }
        self.subject = name.text
        self.commonName = name.commonName
    }

    /// True if the certificate has expired since the connection began.
    package var hasExpired: Bool { self.expiresAt < Int64(time(nil)) }
}

/// A distinguished name (RFC 5280, section 4.1.2.4).
private struct DistinguishedName {
    /// The usual short names of attributes, by the content of their object identifiers (RFC 4514, section 3).
    private static let names: [[UInt8]: String] = [
        [85, 4, 3]: "CN", [85, 4, 5]: "serialNumber", [85, 4, 6]: "C", [85, 4, 7]: "L", [85, 4, 8]: "ST",
        [85, 4, 9]: "STREET", [85, 4, 10]: "O", [85, 4, 11]: "OU",
        [0x09, 0x92, 0x26, 0x89, 0x93, 0xF2, 0x2C, 0x64, 0x01, 0x19]: "DC",
        [0x09, 0x92, 0x26, 0x89, 0x93, 0xF2, 0x2C, 0x64, 0x01, 0x01]: "UID",
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x01]: "emailAddress",
    ]

    var text = ""
    var commonName: String?

    init?(_ content: DERReader) {
        var content = content
        var parts: [String] = []
        while !content.isAtEnd {
            guard var set = content.read(0x31) else { return nil }
            var attributes: [String] = []
            while !set.isAtEnd {
                guard var attribute = set.read(DERReader.sequence), let type = attribute.read(0x06),
                    let value = attribute.readValue()
                else { return nil }
                guard let name = Self.names[Array(type.bytes)], let text = value.text else {
                    // The value is the encoded element (RFC 4514, section 2.4).
                    let name = Self.names[Array(type.bytes)] ?? Self.dotted(type.bytes)
                    attributes.append("\(name)=#\(value.encoded.map(Self.hexadecimal).joined())")
                    continue
                }
                if name == "CN" { self.commonName = text }
                attributes.append("\(name)=\(Self.escaped(text))")
            }
            parts.append(attributes.joined(separator: "+"))
        }
        // The text begins with the last part (RFC 4514, section 2.1).
        self.text = parts.reversed().joined(separator: ",")
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    /// An object identifier as numbers with dots.
    private static func dotted(_ bytes: ArraySlice<UInt8>) -> String {
        var numbers: [UInt64] = []
        var number: UInt64 = 0
        for byte in bytes {
            number = number << 7 | UInt64(byte & 0x7F)
            guard byte & 0x80 == 0 else { continue }
            if numbers.isEmpty {
                let first = min(number / 40, 2)
                numbers = [first, number - 40 * first]
            } else {
                numbers.append(number)
            }
            number = 0
        }
        return numbers.map(String.init).joined(separator: ".")
    }

    /// Escapes a value (RFC 4514, section 2.4).
    private static func escaped(_ value: String) -> String {
        var text = ""
        for (index, character) in value.unicodeScalars.enumerated() {
            let isAtEdge = index == 0 || index == value.unicodeScalars.count - 1
            switch character {
            case ",", "+", "\"", "\\", "<", ">", ";", "=": text += "\\\(character)"
            case " " where isAtEdge, "#" where index == 0: text += "\\\(character)"
            case "\0": text += "\\00"
            default: text.unicodeScalars.append(character)
            }
        }
        return text
    }
}

/// Reads elements in the Distinguished Encoding Rules (X.690).
private struct DERReader {
    static let sequence: UInt8 = 0x30

    private(set) var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { self.bytes.isEmpty }

    /// Reads an element with a tag.
    /// - Returns: Its content; nil if the next element has another tag or is not complete.
    mutating func read(_ tag: UInt8) -> DERReader? {
        guard self.bytes.first == tag else { return nil }
        return self.readElement().map { DERReader($0) }
    }

    private mutating func readElement() -> ArraySlice<UInt8>? {
        var rest = self.bytes.dropFirst()
        guard let first = rest.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            guard count > 0, count <= 4, rest.count >= count else { return nil }
            length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(count)
        }
        guard rest.count >= length else { return nil }
        self.bytes = rest.dropFirst(length)
        return rest.prefix(length)
    }

    /// Reads the next element, of any type.
    /// - Returns: The element, and its text; the text is nil if the element is not a text. The result is nil if the
    ///   element is not complete.
    mutating func readValue() -> (encoded: ArraySlice<UInt8>, text: String?)? {
        let start = self.bytes
        guard let tag = start.first, let content = self.readElement() else { return nil }
        return (start[..<self.bytes.startIndex], Self.text(tag, content))
    }

    /// Returns a text of any type. A type with one byte for a character, such as PrintableString, contains only ASCII
    /// or Latin-1.
    private static func text(_ tag: UInt8, _ content: ArraySlice<UInt8>) -> String? {
        switch tag {
        case 0x0C: return String(validating: content, as: UTF8.self)
        case 0x1E:
            guard content.count.isMultiple(of: 2) else { return nil }
            let units = stride(from: content.startIndex, to: content.endIndex, by: 2).map {
                UInt16(content[$0]) << 8 | UInt16(content[$0 + 1])
            }
            return String(validating: units, as: UTF16.self)
        case 0x12, 0x13, 0x14, 0x16, 0x1A:
            return String(String.UnicodeScalarView(content.map { Unicode.Scalar($0) }))
        default: return nil
        }
    }
}
