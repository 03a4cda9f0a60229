import DuetResourceService
import SeededTesting
import Testing

@Suite("Keys in paths") struct KeySegmentTests {
    @Test("A key with any characters is unchanged after it is encoded for a path and decoded")
    func random() {
        for seed in TestScale.seeds(2_000) {
            var random = SplitMix64(seed: seed)
            let scalars: [Unicode.Scalar] = [
                ",", "/", ".", "%", "2", "C", "\\", "?", "#", "+", " ", "é", "\u{301}", "漢", "🙂", "\u{0}", "\u{7F}",
                "~",
            ]
            let parts = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                var part = String.UnicodeScalarView()
                for _ in 0..<Int.random(in: 0...4, using: &random) {
                    let any = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random))
                    part.append(Bool.random(using: &random) ? any ?? "a" : scalars.randomElement(using: &random) ?? "a")
                }
                return String(part)
            }
            let segment = KeySegment.text(parts)
            let read = KeySegment.parts(of: segment, count: parts.count)
            #expect(read.map { $0.map { Array($0.utf8) } } == parts.map { Array($0.utf8) }, "seed \(seed): \(segment)")
            // Path normalization does not change the segment (RFC 3986, section 5.2.4).
            #expect(!["", ".", ".."].contains(segment), "seed \(seed)")
            #expect(
                segment.utf8.allSatisfy { !Array("/?#".utf8).contains($0) && $0 > 0x20 && $0 < 0x7F },
                "seed \(seed): \(segment)")
            // The segment is rejected if a different number of parts is expected.
            #expect(parts.count == 1 || KeySegment.parts(of: segment, count: parts.count + 1) == nil, "seed \(seed)")
        }
    }

    @Test("Any bytes of a path segment are either read as a key or rejected, without a crash")
    func bytes() {
        for seed in TestScale.seeds(2_000) {
            var random = SplitMix64(seed: seed)
            let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? UInt8.random(in: 0...255, using: &random)
                    : Array("%,./0aFfé".utf8).randomElement(using: &random) ?? 0
            }
            let segment = String(decoding: bytes, as: UTF8.self)
            for count in 1...3 {
                guard let parts = KeySegment.parts(of: segment, count: count) else { continue }
                #expect(parts.count == count)
                let again = KeySegment.parts(of: KeySegment.text(parts), count: count)
                #expect(
                    again.map { $0.map { Array($0.utf8) } } == parts.map { Array($0.utf8) }, "seed \(seed): \(segment)")
            }
        }
    }

    @Test(
        "Each key has exactly one encoding in a path, and path normalization does not change the encoding",
        arguments: [
            ([""], ","), (["."], ".,"), ([".."], "..,"), ([","], "%2C"), (["a,b"], "a%2Cb"), (["a", "b"], "a,b"),
            (["", ""], ","), ([".", ""], ".,"), (["é/"], "%C3%A9%2F"), (["%2C"], "%252C"), (["+ "], "%2B%20"),
        ])
    func spelling(_ parts: [String], _ segment: String) {
        #expect(KeySegment.text(parts) == segment)
        #expect(KeySegment.parts(of: segment, count: parts.count) == parts)
    }
}
