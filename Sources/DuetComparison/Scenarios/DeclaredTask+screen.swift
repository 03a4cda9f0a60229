import DuetJSON

extension DeclaredTask {
    /// The names of the members of a screen: all members, and the optional members.
    private static let screenMembers = (
        all: ["title", "sentence", "rows", "heading", "line", "picture", "rest", "graphql"],
        optional: ["line", "picture"]
    )

    /// Checks the member `screen`, which describes a screen of the page at `/`.
    /// - Throws: ``TaskFileError`` for the first fault.
    func checkScreen() throws {
        guard let value = members["screen"] else { return }
        let screen = try object(value, "screen")
        let names = Self.screenMembers
        if let unknown = screen.members.map(\.key).first(where: { !names.all.contains($0) }) {
            throw fault("screen", "has the unknown member \(unknown)")
        }
        if let missing = names.all.first(where: { screen[$0] == nil && !names.optional.contains($0) }) {
            throw fault("screen", "has no \(missing)")
        }
        for name in ["title", "sentence", "line", "picture"] {
            guard let text = screen[name] else { continue }
            guard case .string = text else { throw fault("screen", "has a \(name) that is not a text") }
        }
        if case .string(let picture)? = screen["picture"], picture.wholeMatch(of: /\/[^\s\/]\S*/) == nil {
            throw fault("screen", "has a picture that is not a path of this server")
        }
        guard try lines(of: screen, "rows").count == 2 else {
            throw fault("screen", "has rows that are not an array of two words, for one row and for several rows")
        }
        guard try !lines(of: screen, "heading").isEmpty else { throw fault("screen", "has no heading") }
        let requests = try lines(of: screen, "rest")
        guard requests.count == 1, try request(requests[0], "screen").method == .get else {
            throw fault("screen", "has a rest that is not a single GET request of a list")
        }
        guard try parts(screen["graphql"] ?? .null, "screen").count == 1 else {
            throw fault("screen", "has a graphql that is not a single operation")
        }
    }

    private func lines(of screen: JSONObject, _ name: String) throws -> [String] {
        try parts(screen[name] ?? .null, "screen").flatMap(\.self)
    }
}
