import DuetHTTPSemantics
import HTTPTypes
import Testing

@Suite struct MediaTypeNegotiationTests {
    enum Format { case json, ndjson, csv }

    static let negotiation = MediaTypeNegotiation<Format>([
        ("application/json", .json), ("application/x-ndjson", .ndjson), ("text/csv; charset=utf-8", .csv),
    ])

    static func preferred(_ values: String...) -> Format? {
        self.negotiation.preferred(for: HTTPFields(values.map { HTTPField(name: .accept, value: $0) }))
    }

    @Test("A request without Accept receives the server's preferred type")
    func absent() {
        #expect(Self.negotiation.preferred(for: [.userAgent: "x"]) == .json)
    }

    @Test(
        "The media range with the highest quality determines the media type",
        arguments: [
            ("*/*", .json), ("application/json", .json), ("APPLICATION/X-NDJSON", .ndjson), ("text/csv", .csv),
            ("text/*", .csv), ("application/*", .json), ("text/html, */*;q=0.1", .json),
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", .json),
            ("application/json;q=0.5, text/csv;q=0.6", .csv), ("text/csv, application/json", .json),
            ("application/json;q=0, */*", .ndjson), ("application/*;q=0.1, text/*;q=0.2", .csv),
            ("*/*;q=0.5, text/csv;q=0.4, application/*;q=0.3", .csv), ("text/csv ; q=1.000", .csv),
            ("application/json;q=0.001", .json), ("application/json;q=0.3333, text/csv;q=0.33", .json),
            (" , ,text/csv,", .csv),
        ] as [(String, Format)])
    func ranges(accept: String, expected: Format) {
        #expect(Self.preferred(accept) == expected)
    }

    @Test(
        "The result is nil if no media type is acceptable",
        arguments: [
            "text/html", "application/xml, text/*;q=0", "application/json;q=0", "*/*;q=0", "application/jsonp",
            "application/jso", "applications/json", "application/json;q=0.0, text/csv;q=0.000",
        ])
    func notAcceptable(accept: String) {
        #expect(Self.preferred(accept) == nil)
    }

    @Test("Parameters of a media range are ignored. An equal range without parameters takes precedence")
    func parameters() {
        #expect(Self.preferred("text/csv; charset=utf-8; header=present") == .csv)
        #expect(Self.preferred("application/json;profile=\"a, b;q=0\";q=0.5, text/csv;q=0.4") == .json)
        #expect(Self.preferred("application/json;v=2;q=1, application/json;q=0.1, text/csv;q=0.5") == .csv)
    }

    @Test("Several Accept fields are equivalent to one list")
    func severalFields() {
        #expect(Self.preferred("text/html", "text/csv") == .csv)
        #expect(Self.preferred("*/*", "application/json;q=0") == .ndjson)
        #expect(Self.preferred("application/json", "text/csv") == .json)
    }

    @Test("A malformed media range is ignored")
    func malformed() {
        #expect(Self.preferred("text/csv;q=2, application/json;q=0.1") == .json)
        #expect(Self.preferred("json, text/csv") == .csv)
        #expect(Self.preferred("text/csv;q=, application/x-ndjson") == .ndjson)
        #expect(Self.preferred("text/csv;charset=\"utf, application/x-ndjson") == .json)
    }

    @Test(
        "An Accept with only malformed media ranges is equivalent to no Accept",
        arguments: ["", ",", "json", "/", "*", "*/json", "text/", "/csv", "text/csv;q=a", "text csv", "\"\\"])
    func onlyMalformed(value: String) {
        #expect(Self.preferred(value) == .json)
    }

    @Test("The result is nil if the server offers no media type")
    func noOffers() {
        #expect(MediaTypeNegotiation<Format>([]).preferred(for: [.accept: "*/*"]) == nil)
        #expect(MediaTypeNegotiation<Format>([]).preferred(for: [:]) == nil)
    }
}
