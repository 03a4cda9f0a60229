import DuetPersistedDocuments
import Testing

@Suite("The hash of a document") struct DocumentHashTests {
    /// The arguments include the example of FIPS 180-2, appendix B.1, and the digest of an empty text.
    @Test(
        "The hash is the SHA-256 of the text in UTF-8",
        arguments: [
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("{__typename}", "ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38"),
        ])
    func sha256(text: String, digits: String) {
        #expect(DocumentHash(of: text).description == digits)
        #expect(DocumentHash(hexadecimal: digits) == DocumentHash(of: text))
    }

    @Test("Texts that are canonically equivalent but have different bytes have different hashes")
    func canonicalEquivalence() {
        #expect("\u{E9}" == "e\u{301}")
        #expect(DocumentHash(of: "\u{E9}") != DocumentHash(of: "e\u{301}"))
    }

    private static let digits = DocumentHash(of: "abc").description

    @Test(
        "A text of 64 lower-case hexadecimal digits is parsed as a hash",
        arguments: [digits, String(repeating: "0", count: 63) + "f"])
    func hexadecimal(text: String) {
        #expect(DocumentHash(hexadecimal: text)?.description == text)
    }

    @Test(
        "A text that is not 64 lower-case hexadecimal digits is not parsed as a hash",
        arguments: [
            "", String(digits.dropLast()), digits + "0", digits.uppercased(), "g" + digits.dropFirst(),
            " " + digits.dropFirst(), "0x" + digits.dropFirst(2), String(repeating: "é", count: 32),
            String(repeating: "\u{660}", count: 64),
        ] as [String])
    func otherText(text: String) {
        #expect(DocumentHash(hexadecimal: text) == nil)
    }

    @Test("Hashes that differ in one hexadecimal digit are different")
    func equality() {
        let zero = String(repeating: "0", count: 64)
        let hashes = (0..<64).compactMap { place in
            DocumentHash(hexadecimal: String(zero.prefix(place)) + "1" + zero.dropFirst(place + 1))
        }
        #expect(Set(hashes).count == 64)
        #expect(hashes.sorted() == Array(hashes.reversed()))
    }
}
