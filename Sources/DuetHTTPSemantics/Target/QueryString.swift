/// The query of a request target as a list of pairs of a name and a value, in the order of the query. The query has the
/// format that HTML forms use (`application/x-www-form-urlencoded`, WHATWG URL §5.1): ampersands separate the pairs,
/// `+` is a space, and `%XX` is a byte.
///
/// Empty parts (`a=1&&b=2`) are skipped. A part without `=` has an empty value. A name can occur several times.
package struct QueryString: Sendable, Hashable {
    /// A decoded name and its decoded value.
    package struct Parameter: Sendable, Hashable {
        /// The decoded name.
        package let name: String
        /// The decoded value; empty without an equals sign.
        package let value: String

        /// Creates a pair of decoded texts.
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The pairs in the order of the query.
    package private(set) var parameters: [Parameter] = []

    /// Creates a query without parameters.
    package init() {}

    /// Parses the query of a request target.
    ///
    /// - Parameters:
    ///   - query: The encoded text after the question mark.
    ///   - limit: The maximum number of pairs.
    /// - Throws: ``QueryStringError`` if a percent sign is not followed by two hexadecimal digits, if a pair does not
    ///   decode to UTF-8, or if the query has more than `limit` pairs.
    package init(_ query: Substring, limit: Int = 100) throws(QueryStringError) {
        guard !query.isEmpty else { return }
        var query = query
        let result = query.withUTF8 { bytes in
            Result { () throws(QueryStringError) in try Self.parse(bytes, limit: limit) }
        }
        self.parameters = try result.get()
    }

    /// Parses the query of a request target; see ``init(_:limit:)-(Substring,_)``. A `nil` query has no parameters.
    package init(_ query: String?, limit: Int = 100) throws(QueryStringError) {
        try self.init(Substring(query ?? ""), limit: limit)
    }

    /// The value of the first parameter with this name; nil if there is none.
    package subscript(name: String) -> String? {
        self.parameters.first { $0.name == name }?.value
    }

    /// Returns the values of all parameters with this name, in the order of the query.
    package func values(for name: String) -> [String] {
        self.parameters.compactMap { $0.name == name ? $0.value : nil }
    }

    private static func parse(
        _ bytes: UnsafeBufferPointer<UInt8>, limit: Int
    ) throws(QueryStringError) -> [Parameter] {
        var parameters: [Parameter] = []
        parameters.reserveCapacity(min(limit, bytes.count { $0 == .ampersand } + 1))
        var start = 0
        while start < bytes.count {
            var end = start
            var equals: Int?
            while end < bytes.count, bytes[end] != .ampersand {
                if equals == nil, bytes[end] == .equals { equals = end }
                end += 1
            }
            if end > start {
                guard parameters.count < limit else { throw .tooManyParameters(limit: limit) }
                let part = EncodedParameter(
                    bytes: bytes, name: start..<(equals ?? end), value: (equals ?? end - 1) + 1..<end)
                parameters.append(try part.decoded())
            }
            start = end + 1
        }
        return parameters
    }
}

/// The error of an invalid query. The name of the parameter is decoded if possible.
package enum QueryStringError: Error, Hashable, Sendable {
    /// A percent sign is not followed by two hexadecimal digits.
    case malformedPercentEncoding(parameter: String)
    /// The decoded bytes are not UTF-8.
    case invalidUTF8(parameter: String)
    /// The query contains more pairs than allowed.
    case tooManyParameters(limit: Int)
}

extension QueryStringError: CustomStringConvertible {
    /// A message for the client.
    package var description: String {
        switch self {
        case .malformedPercentEncoding(let parameter):
            "The query parameter '\(parameter)' contains a percent sign without two hexadecimal digits."
        case .invalidUTF8(let parameter):
            "The query parameter '\(parameter)' does not decode to UTF-8."
        case .tooManyParameters(let limit):
            "The query has more than \(limit) parameters."
        }
    }
}

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
