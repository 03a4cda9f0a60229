extension ReadTransaction {
    /// Reads one object into a type that is `Decodable`. Its properties have the names of fields in the schema; a field that was
    /// fetched with arguments is not among them.
    /// - Parameters:
    ///   - model: the type.
    ///   - key: the key of the object.
    ///   - dates: the form of dates.
    /// - Returns: `nil` if the cache does not have the object.
    /// - Throws: ``StoreError``: a field that the type needs is missing.
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
