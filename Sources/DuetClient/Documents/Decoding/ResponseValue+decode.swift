import DuetJSON

extension ResponseValue {
    /// Decodes a `Decodable` type.
    /// - Parameters:
    ///   - names: The names that the document selects; `nil` to read all members of the object.
    /// - Throws: ``ModelError`` with the path of the value that cannot be decoded.
    func decode<Value: Decodable>(
        _ type: Value.Type, names: SelectedNames?, dates: DateCoding
    ) throws(ModelError) -> Value {
        let node =
            switch storage {
            case .response(let value, _): ResponseNode(storage: .response(value), names: names)
            case .cached(let value, let selection, let reader):
                ResponseNode(
                    storage: .cached(value, selections: selection.map { [$0] }, reader: reader), names: names)
            }
        do {
            return try ResponseDecoder(node: node, dates: dates, path: .root).decode(type)
        } catch {
            throw ModelError(decoding: error)
        }
    }
}

extension ModelError {
    /// Converts an error of a decoder, or of the initializer of a `Decodable` type.
    fileprivate init(decoding error: any Error) {
        switch error {
        case let error as ModelError: self = error
        case DecodingError.keyNotFound(let key, let context): self.init(.missing, context, key: key)
        case DecodingError.valueNotFound(_, let context): self.init(.unexpectedNull, context)
        case DecodingError.typeMismatch(_, let context), DecodingError.dataCorrupted(let context):
            self.init(.typeMismatch, context)
        default: self.init(.typeMismatch, "The value cannot be decoded: \(error)")
        }
    }

    /// - Parameter key: The missing key. It becomes the last element of the path. The coding path of an error of this
    ///   library already ends with the key.
    private init(_ code: Code, _ context: DecodingError.Context, key: (any CodingKey)? = nil) {
        let error = context.underlyingError as? ModelError
        let keys = context.codingPath + (error == nil ? key.map { [$0] } ?? [] : [])
        self.init(
            error?.code ?? code, error?.message ?? context.debugDescription,
            path: keys.map { ($0 as? IndexKey)?.intValue.map(PathElement.index) ?? .field($0.stringValue) })
    }
}
