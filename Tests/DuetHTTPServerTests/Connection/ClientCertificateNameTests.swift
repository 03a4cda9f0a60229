import DuetHTTPServer
import Testing

@Suite struct ClientCertificateNameTests {
    /// An element in DER with a short or long length.
    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        content.count < 128
            ? [tag, UInt8(content.count)] + content
            : [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 255)] + content
    }

    /// A certificate of which only the parts up to the subject are present.
    private static func certificate(_ subject: [[UInt8]], hasVersion: Bool = true) -> [UInt8] {
        let names = subject.map { self.element(0x31, $0) }.flatMap(\.self)
        let fields =
            (hasVersion ? self.element(0xA0, [2, 1, 2]) : []) + self.element(2, [1]) + self.element(0x30, [])
            + self.element(0x30, []) + self.element(0x30, []) + self.element(0x30, names)
        return self.element(0x30, self.element(0x30, fields))
    }

    private static func attribute(_ type: [UInt8], _ value: [UInt8], tag: UInt8 = 0x0C) -> [UInt8] {
        self.element(0x30, self.element(6, type) + self.element(tag, value))
    }

    private static let commonName: [UInt8] = [85, 4, 3]

    @Test("The subject is a text, which begins with the last name", arguments: [false, true])
    func subject(hasVersion: Bool) throws {
        let certificate = Self.certificate(
            [
                Self.attribute([85, 4, 10], Array("Example".utf8), tag: 0x13),
                Self.attribute([85, 4, 11], Array("a".utf8)) + Self.attribute([42, 3, 4], Array("b".utf8)),
                Self.attribute(Self.commonName, Array(repeating: 0x61, count: 200)),
            ], hasVersion: hasVersion)
        let read = try ClientCertificate(der: certificate, expiresAt: 0)
        let long = String(repeating: "a", count: 200)
        #expect(read.subject == "CN=\(long),OU=a+1.2.3.4=#0c0162,O=Example")
        #expect(read.commonName == long)
    }

    @Test(
        "Special characters are escaped",
        arguments: [
            ("a,b", #"a\,b"#), (" a ", #"\ a\ "#), ("#a", "\\#a"), ("a=\"b\"", #"a\=\"b\""#), ("a\0b", #"a\00b"#),
            ("é", "é"), (#"a\b+c<d>;"#, #"a\\b\+c\<d\>\;"#),
        ])
    func escaping(value: String, text: String) throws {
        let certificate = Self.certificate([Self.attribute(Self.commonName, Array(value.utf8))])
        let read = try ClientCertificate(der: certificate, expiresAt: 0)
        #expect(read.subject == "CN=\(text)")
        #expect(read.commonName == value)
    }

    @Test("A value that is not a text is in hexadecimal digits")
    func otherValues() throws {
        let certificate = Self.certificate([
            Self.attribute(Self.commonName, [0xFF]), Self.attribute([85, 4, 45], [0, 0xA1], tag: 3),
        ])
        let read = try ClientCertificate(der: certificate, expiresAt: 0)
        #expect(read.subject == "2.5.4.45=#030200a1,CN=#0c01ff")
        #expect(read.commonName == nil)
    }

    @Test("Bytes that are not a certificate have no subject")
    func malformed() {
        let certificate = Self.certificate([Self.attribute(Self.commonName, Array("a".utf8))])
        let malformed =
            (0..<certificate.count).map { Array(certificate.prefix($0)) }
            + [Self.certificate([[1, 2, 3]])]
        for bytes in malformed {
            #expect(throws: ClientCertificate.Unreadable.self) { try ClientCertificate(der: bytes, expiresAt: 0) }
        }
    }
}
