internal import HTTPTypes

extension HTTPFields {
    /// Creates fields from pairs of a name and a value. A name that is not valid in HTTP is ignored.
    init(pairs: [(name: String, value: String)]) {
        self.init()
        for (name, value) in pairs {
            guard let name = HTTPField.Name(name) else { continue }
            append(HTTPField(name: name, value: value))
        }
    }

    /// The names in their original case, and the values.
    var pairs: [(name: String, value: String)] { map { ($0.name.rawName, $0.value) } }
}
