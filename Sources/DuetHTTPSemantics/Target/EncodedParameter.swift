/// A pair of a name and a value in a query, still percent-encoded. Ampersands separate the pairs.
struct EncodedParameter {
    /// The complete query. It comes from a `String`, so each part between ASCII characters is valid UTF-8.
    let bytes: UnsafeBufferPointer<UInt8>
    let name: Range<Int>
    /// The range of the value; empty if there is no equals sign.
    let value: Range<Int>

    func decoded() throws(QueryStringError) -> QueryString.Parameter {
        let name: String
        switch self.decode(self.name) {
        case .success(let decoded): name = decoded
        case .failure(let failure):
            let encoded = UnsafeBufferPointer(rebasing: self.bytes[self.name])
            throw Self.error(failure, parameter: String(decoding: encoded, as: UTF8.self))
        }
        switch self.decode(self.value) {
        case .success(let value): return QueryString.Parameter(name: name, value: value)
        case .failure(let failure): throw Self.error(failure, parameter: name)
        }
    }

    private func decode(_ range: Range<Int>) -> Result<String, PercentDecoding.Failure> {
        PercentDecoding.decode(UnsafeBufferPointer(rebasing: self.bytes[range]), plusIsSpace: true)
    }

    private static func error(_ failure: PercentDecoding.Failure, parameter: String) -> QueryStringError {
        switch failure {
        case .malformedEscape: .malformedPercentEncoding(parameter: parameter)
        case .invalidUTF8: .invalidUTF8(parameter: parameter)
        }
    }
}
