/// The response names that a document selects on an object, with and without type conditions. A model can read only
/// these names.
final class SelectedNames: Sendable {
    /// The names in the selection set of each field, by the response name of the field. The value is `nil` for a field
    /// without a selection set.
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

    /// The names that are selected on the object of a field. The outer optional is `nil` if the document does not
    /// select the field.
    subscript(name: String) -> SelectedNames?? { names[name] }
}
