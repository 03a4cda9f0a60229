/// The points of small order on Ed25519. If a public key is one of them, a signature without a private key is valid
/// (RFC 8032 §8.5 and §5.1.7; "Taming the many EdDSAs", Chalkias, Garillot and Nikolaenko, 2020).
enum SmallOrderPoint {
    /// The y coordinates of these points, little-endian, including the encodings that are not reduced modulo p.
    private static let coordinates: Set<[UInt8]> = {
        let order8 = [
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        ].map(bytes)
        // p = 2^255 - 19. The points of order 1, 2 and 4 have y = 1, p - 1 and 0; p and p + 1 mean 0 and 1.
        let small: [[UInt8]] = [0, 1].map { [$0] + [UInt8](repeating: 0, count: 31) }
        let large: [[UInt8]] = [0xEC, 0xED, 0xEE].map { [$0] + [UInt8](repeating: 0xFF, count: 30) + [0x7F] }
        return Set(order8 + small + large)
    }()

    /// Returns true if a public key of 32 bytes is a point of small order. The highest bit is the sign of x.
    static func contains(_ point: [UInt8]) -> Bool {
        guard let last = point.last else { return false }
        return coordinates.contains(Array(point.dropLast()) + [last & 0x7F])
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
