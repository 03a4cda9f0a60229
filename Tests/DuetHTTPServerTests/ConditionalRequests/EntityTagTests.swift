import DuetHTTPSemantics
import DuetHTTPServer
import HTTPTypes
import NIOCore
import Testing

@Suite struct EntityTagTests {
    static let tag = BodyTag(hashing: ByteBuffer(string: "abc"), as: "text/plain")
    static let other = BodyTag(hashing: ByteBuffer(string: "abd"), as: "text/plain")
    static let quoted = tag.fieldValue()
    /// The text of the tag without its quotes.
    static let opaque = String(quoted.dropFirst().dropLast())

    @Test("An entity tag has 22 characters in quotes. The tag of the gzip body has the suffix -gzip")
    func text() {
        let text = Self.tag.fieldValue()
        #expect(text.count == 24)
        #expect(text.first == "\"" && text.last == "\"")
        #expect(
            text.dropFirst().dropLast().allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
        #expect(Self.tag.fieldValue(coding: .gzip) == "\(text.dropLast())-gzip\"")
        #expect("\(Self.tag)" == text)
    }

    @Test("Entity tags are equal only if the bodies and the media types are equal")
    func equality() {
        func tag(_ body: String, _ mediaType: String = "text/plain") -> BodyTag {
            BodyTag(hashing: ByteBuffer(string: body), as: mediaType)
        }
        #expect(tag("abc") == tag("abc"))
        let tags = [tag("abc"), tag("abd"), tag(""), tag("abc", "text/csv"), tag("nabc", "text/plai")]
        #expect(Set(tags).count == tags.count)
        #expect(Set(tags.map { $0.fieldValue() }).count == tags.count)
    }

    // MARK: Lists

    static func match(
        _ values: String..., comparison: EntityTagList.Comparison = .weak, current: BodyTag? = tag
    ) -> EntityTagList.Match {
        EntityTagList.match(
            current, in: HTTPFields(values.map { HTTPField(name: .ifNoneMatch, value: $0) }), name: .ifNoneMatch,
            comparison: comparison)
    }

    @Test("A request without entity tags is distinguished from a request whose entity tags do not match")
    func absent() {
        #expect(Self.match() == .absent)
        #expect(Self.match("\"x\"") == .unmatched)
        #expect(Self.match("*") == .matched)
        #expect(Self.match("*", current: nil) == .unmatched)
        #expect(Self.match(Self.tag.fieldValue(), current: nil) == .unmatched)
    }

    @Test("A list of entity tags matches if it contains the current tag for any content coding")
    func lists() {
        let text = Self.tag.fieldValue()
        let gzip = Self.tag.fieldValue(coding: .gzip)
        for list in [text, gzip, "\"a\", \(text)", "\"a\",,\"\" , \(gzip) ,\"b\"", " \(text) ", "W/\"a\",\(text)"] {
            #expect(Self.match(list) == .matched, "\(list)")
            #expect(Self.match(list, comparison: .strong) == .matched, "\(list)")
        }
        #expect(Self.match("\"a\"", "\"b\", \(text)") == .matched)
        #expect(Self.match(Self.other.fieldValue()) == .unmatched)
    }

    @Test(
        "An entity tag that is only similar to the current tag does not match",
        arguments: [
            "", String(opaque.dropLast()), "\(opaque)x", "x\(opaque)", "\(opaque)-", "\(opaque)-gzi",
            "\(opaque)-gzip-gzip", "\(opaque)-br", opaque.lowercased(), "-gzip",
        ] as [String])
    func almost(other: String) {
        #expect(Self.match("\"\(other)\"") == .unmatched)
    }

    @Test("A weak entity tag matches only in a weak comparison")
    func weak() {
        let weak = "W/\(Self.tag.fieldValue(coding: .gzip))"
        #expect(Self.match(weak) == .matched)
        #expect(Self.match(weak, comparison: .strong) == .unmatched)
        #expect(Self.match("\(weak), \(Self.tag)", comparison: .strong) == .matched)
    }

    @Test(
        "A malformed list of entity tags matches no tag",
        arguments: [
            "", ",", opaque, "\"\(opaque)", "\(opaque)\"", "w/\(quoted)", "W\(quoted)", "\(quoted)x", "\"a\" \(quoted)",
            "*, \(quoted)", "**", "\"a b\", \(quoted)", "x, \(quoted)", "'\(opaque)'", "W/",
        ] as [String])
    func malformed(value: String) {
        #expect(Self.match(value) == .unmatched)
    }

    @Test("Parsing an If-Match field returns its entity tags, except those that no body can have")
    func values() {
        let tags = [
            Self.tag, Self.other, BodyTag(low: 0, high: 0), BodyTag(low: .max, high: .max),
            BodyTag(low: 1 << 63, high: 1 << 63),
        ]
        func read(_ values: String..., comparison: EntityTagList.Comparison = .strong) -> EntityTagList.Tags? {
            EntityTagList.tags(
                in: HTTPFields(values.map { HTTPField(name: .ifMatch, value: $0) }), name: .ifMatch,
                comparison: comparison)
        }
        for tag in tags {
            #expect(read(tag.fieldValue()) == .listed([tag]))
            #expect(read(tag.fieldValue(coding: .gzip)) == .listed([tag]))
        }
        #expect(read() == nil)
        #expect(read("*") == .any)
        #expect(read("\"a\"", " * ") == .any)
        #expect(read("\"a\", \(Self.tag), W/\(Self.other)", "\(tags[2])") == .listed([Self.tag, tags[2]]))
        #expect(read("W/\(Self.other)", comparison: .weak) == .listed([Self.other]))
        let opaque = Self.tag.fieldValue().dropFirst().dropLast()
        // The last of the 22 characters encodes only two of the 128 bits. Its other bits must be 0.
        for other in ["", "\(opaque)x", "\(opaque)-br", "\(opaque.dropLast())_", "é\(opaque.dropLast(2))"] {
            #expect(read("\"\(other)\"") == .listed([]), "\(other)")
        }
        #expect(read("x, \(Self.tag)") == .listed([]))
    }

    // MARK: Preconditions

    static func evaluate(
        _ fields: HTTPFields, _ method: HTTPRequest.Method = .get, current: BodyTag? = tag
    ) -> EntityTagPrecondition {
        EntityTagPrecondition.evaluate(fields, method: method, current: current)
    }

    @Test("A request without conditions proceeds")
    func unconditional() {
        #expect(Self.evaluate([:]) == .proceed)
        #expect(Self.evaluate([.accept: "*/*"], current: nil) == .proceed)
    }

    @Test("A matching If-None-Match is a 304 for GET and HEAD and a 412 for other methods")
    func ifNoneMatch() {
        let fields: HTTPFields = [.ifNoneMatch: Self.tag.fieldValue()]
        #expect(Self.evaluate(fields) == .notModified)
        #expect(Self.evaluate(fields, .head) == .notModified)
        #expect(Self.evaluate(fields, .put) == .failed)
        #expect(Self.evaluate(fields, current: Self.other) == .proceed)
        #expect(Self.evaluate([.ifNoneMatch: "*"], .put) == .failed)
        #expect(Self.evaluate([.ifNoneMatch: "*"], .put, current: nil) == .proceed)
    }

    @Test("If-Match allows a request only if the current entity tag matches")
    func ifMatch() {
        let fields: HTTPFields = [.ifMatch: Self.tag.fieldValue(coding: .gzip)]
        #expect(Self.evaluate(fields, .patch) == .proceed)
        #expect(Self.evaluate(fields, .patch, current: Self.other) == .failed)
        #expect(Self.evaluate(fields, .patch, current: nil) == .failed)
        #expect(Self.evaluate([.ifMatch: "*"], .delete) == .proceed)
        #expect(Self.evaluate([.ifMatch: "*"], .delete, current: nil) == .failed)
        #expect(Self.evaluate([.ifMatch: "W/\(Self.tag)"], .patch) == .failed)
        #expect(Self.evaluate([.ifMatch: "nonsense"], .patch) == .failed)
    }

    @Test("If-Match takes precedence over If-None-Match")
    func both() {
        #expect(Self.evaluate([.ifMatch: "\"x\"", .ifNoneMatch: Self.tag.fieldValue()]) == .failed)
        #expect(Self.evaluate([.ifMatch: "*", .ifNoneMatch: Self.tag.fieldValue()]) == .notModified)
    }
}
