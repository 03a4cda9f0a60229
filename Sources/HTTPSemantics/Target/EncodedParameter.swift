/// One part of a query between ampersands, percent-encoded.
struct EncodedParameter {
    /// The whole query. It comes from a `String`, so that parts between ASCII characters are UTF-8.
    let bytes: UnsafeBufferPointer<UInt8>
    let name: Range<Int>
    /// Empty if there is no equals sign.
    let value: Range<Int>

    func decoded() throws(QueryStringError) -> QueryString.Parameter {
        let name: String
        switch self.decode(self.name) {
        case .success(let decoded): name = decoded
        case .failure(let failure): throw failure.error(parameter: self.text(self.name))
        }
        switch self.decode(self.value) {
        case .success(let value): return QueryString.Parameter(name: name, value: value)
        case .failure(let failure): throw failure.error(parameter: name)
        }
    }

    private enum DecodingFailure: Error {
        case percentEncoding, utf8

        func error(parameter: String) -> QueryStringError {
            switch self {
            case .percentEncoding: .malformedPercentEncoding(parameter: parameter)
            case .utf8: .invalidUTF8(parameter: parameter)
            }
        }
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: self.bytes[range]), as: UTF8.self)
    }

    private func decode(_ range: Range<Int>) -> Result<String, DecodingFailure> {
        guard self.bytes[range].contains(where: { $0 == .percent || $0 == .plus }) else {
            return .success(self.text(range))
        }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: range.count) { decoded in
            guard let count = self.decode(range, into: decoded) else { return .failure(.percentEncoding) }
            guard let text = String(validating: decoded[..<count], as: UTF8.self) else { return .failure(.utf8) }
            return .success(text)
        }
    }

    /// Decodes `range` into `target`, which has room for as many bytes, and returns their number; `nil` if a percent
    /// sign lacks its digits.
    private func decode(_ range: Range<Int>, into target: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        var source = range.lowerBound
        var count = 0
        while source < range.upperBound {
            switch self.bytes[source] {
            case .percent:
                guard source + 2 < range.upperBound,
                    let high = self.bytes[source + 1].hexadecimalValue,
                    let low = self.bytes[source + 2].hexadecimalValue
                else { return nil }
                target.initializeElement(at: count, to: high << 4 | low)
                source += 3
            case .plus:
                target.initializeElement(at: count, to: .space)
                source += 1
            case let byte:
                target.initializeElement(at: count, to: byte)
                source += 1
            }
            count += 1
        }
        return count
    }
}
