package import HTTPTypes

extension HTTPFields {
    /// Returns the combined value of all fields with a name; nil if there are none. The result equals `self[name]`.
    /// This method is much faster than the subscript if at most one such field exists, which is the common case.
    package func value(of name: HTTPField.Name) -> String? {
        var only: String?
        for field in self where field.name == name {
            guard only == nil else { return self[name] }
            only = field.value
        }
        return only
    }
}
