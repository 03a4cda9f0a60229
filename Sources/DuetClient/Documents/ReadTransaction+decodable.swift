extension ReadTransaction {
    /// Reads an object into a `Decodable` type. The property names are the names of the fields in the schema.
    /// Properties cannot read fields that were fetched with arguments.
    /// - Parameters:
    ///   - model: The `Decodable` type.
    ///   - key: The key of the object.
    ///   - dates: The representation of dates.
    /// - Returns: `nil` if the cache does not have the object.
    /// - Throws: ``StoreError`` if a field that the type requires is missing.
    @_disfavoredOverload
    public func readObject<Model: Decodable>(
        ofType model: Model.Type = Model.self, withKey key: CacheKey, dates: DateCoding = .epochMilliseconds
    ) throws(StoreError) -> Model? {
        try stage.reading(policies, now: nil) { reader throws(ModelError) in
            guard reader.record(key) != nil else { return nil }
            let value = ResponseValue(storage: .cached(.reference(key), selection: nil, reader: reader))
            return try value.decode(Model.self, names: nil, dates: dates)
        }
    }
}
