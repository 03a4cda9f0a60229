import DuetResourceService
import NIOCore
import Testing

@Suite("The digest of a body") struct BodyDigestTests {
    @Test("A digest consists of the first 128 bits of the SHA-256 of the body")
    func sha256() {
        // FIPS 180-2, example B.1: ba7816bf 8f01cfea 414140de 5dae2223 …
        let digest = BodyDigest(of: ByteBuffer(string: "abc"))
        #expect(digest == BodyDigest(low: 0xEACF_018F_BF16_78BA, high: 0x2322_AE5D_DE40_4141))
    }

    @Test("Two bodies with the same `ContentHash` have different digests")
    func collision() {
        // ``ContentHash`` multiplies words of the body. In the first body, one of the first two factors is 0. The
        // second body has different factors, but the same hash.
        let pairs: [(UInt64, UInt64)] = [
            (0x243F_6A88_85A3_08D3, 0x4706_4DFE_F76F_6352), (0xE95E_54B8_5D52_620C, 0x23B7_7B29_C2AF_584D),
        ]
        let digests = pairs.map { first, second in
            var body = ByteBuffer()
            body.writeMultipleIntegers(first, second, endianness: .little)
            body.writeString("the rest of both bodies")
            return BodyDigest(of: body)
        }
        #expect(digests[0] != digests[1])
    }
}
