/// A field of the schema that nothing here knows; there is a test that there is none.
struct Unplanned: Error, CustomStringConvertible {
    let description: String

    init(_ name: String) {
        description = "no plan for \(name)"
    }
}
