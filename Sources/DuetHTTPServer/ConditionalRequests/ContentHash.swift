import DuetHTTPSemantics

/// A fast 128-bit hash of a response body. Equal bodies have equal hashes on every machine and in every process. The
/// hash is not cryptographic: a client that controls the bytes can easily create two bodies with equal hashes.
///
/// The method belongs to the multiply-and-fold family (wyhash, rapidhash). The state consists of two lanes. A lane
/// consists of two 64-bit words, and absorbs two words of the body at a time:
///
/// 1. Each word of the body is combined with a word of the lane. The results are two factors.
/// 2. The factors are multiplied. The product has 128 bits.
/// 3. The factors are rotated by 32 bits and combined with the halves of the product. The results are the new words of
///    the lane.
///
/// If one factor is zero, step 3 preserves the information of the other factor. The low bits of the product are the
/// weakest bits. The rotation prevents their combination with the low bits of the factors. At the end, the second lane
/// absorbs the length, and the first lane absorbs the second lane. Because of this asymmetry, the hash changes if words
/// of the body are exchanged between the lanes. Each input bit passes at least three multiplications.
package struct ContentHash: Hashable, Sendable {
    /// The lower half.
    package let low: UInt64
    /// The upper half.
    package let high: UInt64

    /// Creates a hash from its halves.
    package init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// Creates the hash of `bytes`, which are read as little-endian words on every machine.
    package init(_ bytes: UnsafeRawBufferPointer) {
        var first = Lane(low: Pi.words.0, high: Pi.words.1)
        var second = Lane(low: Pi.words.2, high: Pi.words.3)
        var offset = 0
        while offset &+ 32 <= bytes.count {
            first.absorb(bytes.word(at: offset), bytes.word(at: offset &+ 8))
            second.absorb(bytes.word(at: offset &+ 16), bytes.word(at: offset &+ 24))
            offset &+= 32
        }
        if offset < bytes.count {
            withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { rest in
                _ = rest.initializeMemory(as: UInt8.self, repeating: 0)
                rest.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset...]))
                let rest = UnsafeRawBufferPointer(rest)
                first.absorb(rest.word(at: 0), rest.word(at: 8))
                second.absorb(rest.word(at: 16), rest.word(at: 24))
            }
        }
        second.absorb(UInt64(bytes.count), Pi.words.4)
        first.absorb(second.low, second.high)
        first.absorb(Pi.words.4, Pi.words.5)
        self.low = first.low
        self.high = first.high
    }

    private struct Lane {
        var low: UInt64
        var high: UInt64

        @inline(__always)
        mutating func absorb(_ firstWord: UInt64, _ secondWord: UInt64) {
            let left = self.low ^ firstWord
            let right = self.high ^ secondWord
            let product = left.multipliedFullWidth(by: right)
            self.low = product.low ^ (right << 32 | right >> 32)
            self.high = product.high &+ (left << 32 | left >> 32)
        }
    }

    /// The first hexadecimal digits of the fraction of π. These constants have no hidden structure.
    private enum Pi {
        @inline(__always)
        static var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) {
            (
                0x243F_6A88_85A3_08D3, 0x1319_8A2E_0370_7344, 0xA409_3822_299F_31D0,
                0x082E_FA98_EC4E_6C89, 0x4528_21E6_38D0_1377, 0xBE54_66CF_34E9_0C6C
            )
        }
    }
}

extension UnsafeRawBufferPointer {
    @inline(__always)
    fileprivate func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: self.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
