/// The response names that a document selects of one object, whatever the type of the object: the names that a model can read.
final class SelectedNames: Sendable {
    /// The names, each with the names below it; `nil` for a field without fields.
    private let names: [String: SelectedNames?]

    convenience init(_ map: ObjectMap) { self.init([map]) }

    private init(_ maps: [ObjectMap]) {
        var order: [String] = []
        var objects: [String: [ObjectMap]] = [:]
        func add(_ map: ObjectMap) {
            for field in map.fields {
                if objects[field.responseName] == nil { order.append(field.responseName) }
                objects[field.responseName, default: []] += field.object.map { [$0] } ?? []
            }
            for typeCase in map.typeCases { add(typeCase.object) }
        }
        for map in maps { add(map) }
        names = objects.mapValues { $0.isEmpty ? nil : SelectedNames($0) }
        all = order
    }

    /// The names in the order of the document.
    let all: [String]

    /// The names below a name; the outer optional is `nil` if the document does not select the name.
    subscript(name: String) -> SelectedNames?? { names[name] }
}
