import HTTPTypes

extension HTTPFields {
    /// Adds fields. An added field replaces all existing fields with the same name.
    mutating func replace(with fields: HTTPFields) {
        for field in fields { self[field.name] = nil }
        append(contentsOf: fields)
    }
}
