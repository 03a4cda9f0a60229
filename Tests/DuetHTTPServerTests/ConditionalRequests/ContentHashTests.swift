import DuetHTTPServer
import Testing

@Suite struct ContentHashTests {
    static func hash(_ bytes: [UInt8]) -> ContentHash {
        bytes.withUnsafeBytes { ContentHash($0) }
    }

    /// Bytes from a fixed sequence (a 64-bit linear congruential generator).
    static func bytes(_ count: Int) -> [UInt8] {
        var state: UInt64 = 1
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    @Test("The content hash of equal bytes is equal on every machine and in every version of the server")
    func stable() {
        #expect(Self.hash([]) == ContentHash(low: 0xEBB3_D3D8_D338_FD82, high: 0x51C7_A4A8_67C9_A296))
        let text = Self.hash(Array("abc".utf8))
        #expect(text == ContentHash(low: 0xF5CA_A16C_1941_6C29, high: 0xC5BD_2218_3DFD_68CE))
        let long = Self.hash(Self.bytes(100))
        #expect(long == ContentHash(low: 0xF3F1_1D0E_A256_3466, high: 0x1629_5F64_F902_93A6))
    }

    @Test("The content hash does not depend on the memory alignment of the bytes", arguments: 0..<16)
    func alignment(offset: Int) {
        let bytes = Self.bytes(200)
        let shifted = [UInt8](repeating: 0, count: offset) + bytes
        let hash = shifted.withUnsafeBytes { ContentHash(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
        #expect(hash == Self.hash(bytes))
    }

    @Test("Bodies that contain only zeros have different content hashes if their lengths differ")
    func zeros() {
        let hashes = Set((0...300).map { Self.hash([UInt8](repeating: 0, count: $0)) })
        #expect(hashes.count == 301)
    }

    @Test("Swapping two blocks changes the content hash", arguments: [8, 16, 32, 64])
    func permutations(size: Int) {
        let bytes = Self.bytes(128)
        let swapped = Array(bytes[size..<size * 2] + bytes[..<size] + bytes[(size * 2)...])
        #expect(Self.hash(swapped) != Self.hash(bytes))
    }

    @Test(
        "One changed input bit changes about half of the bits of the content hash", arguments: [1, 15, 16, 33, 64, 100])
    func avalanche(count: Int) {
        let bytes = Self.bytes(count)
        let hash = Self.hash(bytes)
        var seen: Set<ContentHash> = [hash]
        var total = 0
        for bit in 0..<count * 8 {
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            let other = Self.hash(changed)
            let distance = (hash.low ^ other.low).nonzeroBitCount + (hash.high ^ other.high).nonzeroBitCount
            #expect((32...96).contains(distance), "bit \(bit)")
            total += distance
            seen.insert(other)
        }
        #expect(seen.count == count * 8 + 1)
        #expect((60...68).contains(total / (count * 8)))
    }

    @Test("Words that are zero or equal to a constant of the algorithm still affect the content hash")
    func weakWords() {
        let words: [UInt64] = [
            0, .max, 1, 1 << 63, 0x243F_6A88_85A3_08D3, 0x1319_8A2E_0370_7344, 0xA409_3822_299F_31D0,
            0x082E_FA98_EC4E_6C89,
        ]
        var seen: Set<ContentHash> = []
        var count = 0
        for first in words {
            for second in words {
                for third in words {
                    for fourth in words {
                        let bytes = [first, second, third, fourth].flatMap { word in
                            withUnsafeBytes(of: word.littleEndian) { Array($0) }
                        }
                        seen.insert(Self.hash(bytes))
                        count += 1
                    }
                }
            }
        }
        #expect(seen.count == count)
    }

    @Test("Bodies with one or two set bits have content hashes that differ in both halves")
    func sparse() {
        var low: Set<UInt64> = []
        var high: Set<UInt64> = []
        var bytes = [UInt8](repeating: 0, count: 40)
        for first in 0..<320 {
            bytes[first / 8] ^= 1 << UInt8(first % 8)
            for second in first..<320 {
                if second > first { bytes[second / 8] ^= 1 << UInt8(second % 8) }
                let hash = Self.hash(bytes)
                low.insert(hash.low)
                high.insert(hash.high)
                if second > first { bytes[second / 8] ^= 1 << UInt8(second % 8) }
            }
            bytes[first / 8] ^= 1 << UInt8(first % 8)
        }
        #expect(low.count == 320 * 321 / 2)
        #expect(high.count == 320 * 321 / 2)
    }

    @Test("Short bodies that differ only in a number have content hashes that differ in both halves")
    func numbers() {
        var low: Set<UInt64> = []
        var high: Set<UInt64> = []
        for number in 0..<50_000 {
            let hash = Self.hash(Array("{\"employeeNumber\":\(number)}".utf8))
            low.insert(hash.low)
            high.insert(hash.high)
        }
        #expect(low.count == 50_000)
        #expect(high.count == 50_000)
    }
}
