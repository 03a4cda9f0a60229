/// The arguments of a field's `@stream`.
struct StreamUsage: Sendable {
    let initialCount: Int
    let label: String?
}
