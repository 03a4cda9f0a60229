import HTTPSemantics
import HTTPTypes
import NIOCore
import Testing

@Suite struct EntityTagTests {
    static let tag = EntityTag(hashing: ByteBuffer(string: "abc"), as: "text/plain", with: .fast)
    static let other = EntityTag(hashing: ByteBuffer(string: "abd"), as: "text/plain", with: .fast)

    @Test("a tag is 22 characters in quotes, and the compressed body has a tag of its own")
    func text() {
        let text = Self.tag.fieldValue()
        #expect(text.count == 24)
        #expect(text.first == "\"" && text.last == "\"")
        #expect(
            text.dropFirst().dropLast().allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
        #expect(Self.tag.fieldValue(coding: .gzip) == "\(text.dropLast())-gzip\"")
        #expect("\(Self.tag)" == text)
    }

    @Test(
        "equal bodies have equal tags, other bodies have others", arguments: [EntityTag.Hash.fast, .collisionResistant])
    func equality(hash: EntityTag.Hash) {
        func tag(_ body: String, _ mediaType: String = "text/plain") -> EntityTag {
            EntityTag(hashing: ByteBuffer(string: body), as: mediaType, with: hash)
        }
        #expect(tag("abc") == tag("abc"))
        let tags = [tag("abc"), tag("abd"), tag(""), tag("abc", "text/csv"), tag("nabc", "text/plai")]
        #expect(Set(tags).count == tags.count)
        #expect(Set(tags.map { $0.fieldValue() }).count == tags.count)
    }

    @Test("a tag that resists collisions has the first 128 bits of SHA-256, on every machine")
    func sha256() {
        let tag = EntityTag(hashing: ByteBuffer(string: "abc"), as: "text/plain", with: .collisionResistant)
        #expect(tag.fieldValue() == "\"U2xXLywOvxkgDK2_Nu0s0C\"")
        #expect(tag != Self.tag)
    }

    @Test("two bodies that were made to have one fast tag differ in the tag that resists collisions")
    func collision() {
        // The factor 0 of the first product, and a factor that gives the same sum.
        let pairs: [(UInt64, UInt64)] = [
            (0x243F_6A88_85A3_08D3, 0x4706_4DFE_F76F_6352), (0xE95E_54B8_5D52_620C, 0x23B7_7B29_C2AF_584D),
        ]
        let bodies = pairs.map { first, second in
            var body = ByteBuffer()
            body.writeMultipleIntegers(first, second, endianness: .little)
            body.writeString("the rest of both bodies")
            return body
        }
        #expect(bodies[0] != bodies[1])
        func tags(_ hash: EntityTag.Hash) -> [EntityTag] {
            bodies.map { EntityTag(hashing: $0, as: "application/octet-stream", with: hash) }
        }
        #expect(tags(.fast)[0] == tags(.fast)[1])
        #expect(tags(.collisionResistant)[0] != tags(.collisionResistant)[1])
    }

    // MARK: Lists

    static func match(
        _ values: String..., comparison: EntityTagList.Comparison = .weak, current: EntityTag? = tag
    ) -> EntityTagList.Match {
        EntityTagList.match(
            current, in: HTTPFields(values.map { HTTPField(name: .ifNoneMatch, value: $0) }), name: .ifNoneMatch,
            comparison: comparison)
    }

    @Test("a request without the field is told from one whose tags do not match")
    func absent() {
        #expect(Self.match() == .absent)
        #expect(Self.match("\"x\"") == .unmatched)
        #expect(Self.match("*") == .matched)
        #expect(Self.match("*", current: nil) == .unmatched)
        #expect(Self.match(Self.tag.fieldValue(), current: nil) == .unmatched)
    }

    @Test("the tag is found among others, in either coding")
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

    @Test("a tag with something before, after or missing is another tag")
    func almost() {
        let opaque = Self.tag.fieldValue().dropFirst().dropLast()
        for other in [
            "", opaque.dropLast(), "\(opaque)x", "x\(opaque)", "\(opaque)-", "\(opaque)-gzi", "\(opaque)-gzip-gzip",
            "\(opaque)-br", Substring(opaque.lowercased()), "-gzip",
        ] {
            #expect(Self.match("\"\(other)\"") == .unmatched, "\(other)")
        }
    }

    @Test("a weak tag matches where weak comparison is asked for, and only there")
    func weak() {
        let weak = "W/\(Self.tag.fieldValue(coding: .gzip))"
        #expect(Self.match(weak) == .matched)
        #expect(Self.match(weak, comparison: .strong) == .unmatched)
        #expect(Self.match("\(weak), \(Self.tag)", comparison: .strong) == .matched)
    }

    @Test("a malformed field matches nothing")
    func malformed() {
        let text = Self.tag.fieldValue()
        let opaque = text.dropFirst().dropLast()
        for value in [
            "", ",", String(opaque), "\"\(opaque)", "\(opaque)\"", "w/\(text)", "W\(text)", "\(text)x", "\"a\" \(text)",
            "*, \(text)", "**", "\"a b\", \(text)", "x, \(text)", "'\(opaque)'", "W/",
        ] {
            #expect(Self.match(value) == .unmatched, "\(value)")
        }
    }

    // MARK: Preconditions

    static func evaluate(
        _ fields: HTTPFields, _ method: HTTPRequest.Method = .get, current: EntityTag? = tag
    ) -> EntityTagPrecondition {
        EntityTagPrecondition.evaluate(fields, method: method, current: current)
    }

    @Test("a request without conditions proceeds")
    func unconditional() {
        #expect(Self.evaluate([:]) == .proceed)
        #expect(Self.evaluate([.accept: "*/*"], current: nil) == .proceed)
    }

    @Test("If-None-Match is 304 for GET and HEAD and 412 for the rest")
    func ifNoneMatch() {
        let fields: HTTPFields = [.ifNoneMatch: Self.tag.fieldValue()]
        #expect(Self.evaluate(fields) == .notModified)
        #expect(Self.evaluate(fields, .head) == .notModified)
        #expect(Self.evaluate(fields, .put) == .failed)
        #expect(Self.evaluate(fields, current: Self.other) == .proceed)
        #expect(Self.evaluate([.ifNoneMatch: "*"], .put) == .failed)
        #expect(Self.evaluate([.ifNoneMatch: "*"], .put, current: nil) == .proceed)
    }

    @Test("If-Match lets a request through to the body it means, and to no other")
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

    @Test("If-Match goes before If-None-Match")
    func both() {
        #expect(Self.evaluate([.ifMatch: "\"x\"", .ifNoneMatch: Self.tag.fieldValue()]) == .failed)
        #expect(Self.evaluate([.ifMatch: "*", .ifNoneMatch: Self.tag.fieldValue()]) == .notModified)
    }
}
