import DuetHTTPSemantics
import HTTPTypes
import Testing

@Suite struct ContentCodingTests {
    static func preferred(_ values: String...) -> ContentCoding? {
        ContentCoding.preferred(for: fields(values))
    }

    private static func fields(_ values: [String]) -> HTTPFields {
        HTTPFields(values.map { HTTPField(name: .acceptEncoding, value: $0) })
    }

    @Test("A request without Accept-Encoding receives the unencoded bytes")
    func absent() {
        #expect(ContentCoding.preferred(for: [.accept: "gzip"]) == .identity)
    }

    @Test(
        "A client that accepts gzip and does not prefer identity receives gzip",
        arguments: [
            "gzip", "GZIP", "x-gzip", "gzip, deflate, br", "br;q=1.0, gzip;q=0.8, *;q=0.1", "*", "deflate, *;q=0.5",
            "gzip;q=0.001", "identity, gzip", "gzip;q=0.5, identity;q=0.5", "gzip, identity;q=0", "gzip;q=1, *;q=0",
        ])
    func gzip(value: String) {
        #expect(Self.preferred(value) == .gzip)
    }

    @Test(
        "A client that does not accept gzip, or prefers identity, receives the unencoded bytes",
        arguments: [
            "", "deflate", "br", "identity", "gzip;q=0", "gzip;q=0, *", "gzip;q=0.5, identity",
            "gzip;q=0.5, *;q=0.6", "gzip;q=a", "gzip2", "gzi", "gzip/1", "identity;q=0.001, *;q=0", "identity;q=a",
            "gzip;q=0, identity;q=0.1, *;q=0",
        ])
    func identity(value: String) {
        #expect(Self.preferred(value) == .identity)
    }

    @Test(
        "The result is nil if the request accepts neither gzip nor identity",
        arguments: [
            "identity;q=0", "*;q=0", "*;q=0.000", "br, identity;q=0", "br, *;q=0", "gzip;q=0, *;q=0",
            "gzip;q=0, identity;q=0", "IDENTITY; Q=0", "identity;q=0, *;q=0, br",
        ])
    func none(value: String) {
        #expect(Self.preferred(value) == nil)
        #expect(ContentCoding.preferred(for: Self.fields([value]), savesBytes: false) == nil)
    }

    @Test(
        "Content that gzip does not make smaller is compressed only for clients that reject identity",
        arguments: [
            ("gzip", .identity), ("*", .identity), ("gzip, identity;q=0.1", .identity), ("", .identity),
            ("gzip, identity;q=0", .gzip), ("gzip;q=0.1, *;q=0", .gzip), ("*, identity;q=0", .gzip),
            ("x-gzip;q=0.001, identity;q=0", .gzip),
        ] as [(String, ContentCoding)])
    func small(value: String, coding: ContentCoding) {
        #expect(ContentCoding.preferred(for: Self.fields([value]), savesBytes: false) == coding)
    }

    @Test("Several Accept-Encoding fields are equivalent to one list")
    func severalFields() {
        #expect(Self.preferred("br", "gzip") == .gzip)
        #expect(Self.preferred("gzip;q=0.5", "identity") == .identity)
        #expect(Self.preferred("identity;q=0", "gzip") == .gzip)
        #expect(Self.preferred("br", "identity;q=0") == nil)
    }
}
