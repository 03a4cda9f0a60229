import DuetResourceService

/// Writes a description as YAML. The order of the members depends only on the description.
struct DescriptionWriter {
    private let catalogue: Catalogue
    private var lines: [String] = []
    /// The comments before the lines of resources, fields and relations, keyed by path: `orders/fields/total`.
    private let notes: [String: [String]]
    private static let maximumLineLength = 120

    /// Returns the text of a description.
    /// - Parameters:
    ///   - notes: The sentences for comments, keyed by the path of the member that they describe.
    ///   - header: The sentences for the top of the file.
    static func text(of description: APIDescription, notes: [String: [String]] = [:], header: [String] = []) -> String {
        var writer = DescriptionWriter(description.catalogue, notes: notes)
        for line in header { writer.lines.append("# \(line)") }
        writer.write(description)
        return writer.lines.joined(separator: "\n") + "\n"
    }

    private init(_ catalogue: Catalogue, notes: [String: [String]]) {
        self.catalogue = catalogue
        self.notes = notes
    }

    // MARK: Lines

    private mutating func line(_ depth: Int, _ text: String) {
        lines.append(String(repeating: "  ", count: depth) + text)
    }

    private mutating func comment(_ depth: Int, _ path: String) {
        for note in notes[path] ?? [] {
            var text = "#"
            for word in note.split(whereSeparator: \.isWhitespace) {
                if 2 * depth + text.count + 1 + word.count > Self.maximumLineLength, text != "#" {
                    line(depth, text)
                    text = "#"
                }
                text += " \(word)"
            }
            line(depth, text)
        }
    }

    /// Writes a member whose value is a mapping. If the member does not fit on one line, each member of the mapping has
    /// a line.
    private mutating func mapping(_ depth: Int, _ name: String, _ members: [(name: String, value: String)]) {
        let flow = "\(YAMLFlow.scalar(name)): \(YAMLFlow.mapping(members))"
        guard 2 * depth + flow.count > Self.maximumLineLength else { return line(depth, flow) }
        line(depth, "\(YAMLFlow.scalar(name)):")
        for (name, value) in members { line(depth + 1, "\(YAMLFlow.scalar(name)): \(value)") }
    }

    private mutating func list(_ depth: Int, _ name: String, _ texts: [String]) {
        let flow = "\(name): \(YAMLFlow.list(texts))"
        guard 2 * depth + flow.count > Self.maximumLineLength else { return line(depth, flow) }
        line(depth, "\(name):")
        for text in texts { line(depth + 1, "- \(YAMLFlow.scalar(text))") }
    }

    /// Writes the members of a mapping, each on a line.
    /// - Parameter path: The path of the mapping in the keys of ``notes``.
    private mutating func members(_ depth: Int, of mapping: some DescriptionMapping, _ path: String) {
        for (name, value) in type(of: mapping).members.values(of: mapping) {
            comment(depth, "\(path)/\(name)")
            switch value {
            case .text, .plain: line(depth, "\(name): \(value.flow)")
            case .texts(let texts): list(depth, name, texts)
            case .mapping(let members): self.mapping(depth, name, members)
            case .block(let entries):
                line(depth, "\(name):")
                for entry in entries {
                    comment(depth + 1, "\(path)/\(name)/\(entry.name)")
                    self.mapping(depth + 1, entry.name, entry.members)
                }
            }
        }
    }

    private mutating func write(_ description: APIDescription) {
        members(0, of: RootMapping(description), "")
        line(0, "resources:")
        for resource in catalogue.resources {
            lines.append("")
            let before = SchemaDescriber.before(resource.name)
            if notes[before] != nil {
                comment(1, before)
                lines.append("")
            }
            comment(1, resource.name)
            line(1, "\(YAMLFlow.scalar(resource.name)):")
            members(2, of: ResourceMapping(resource, catalogue), resource.name)
        }
        guard !description.roles.isEmpty else { return }
        lines.append("")
        line(0, "roles:")
        for role in description.roles { write(role) }
    }

    private mutating func write(_ role: RoleDefinition) {
        lines.append("")
        let mapping = RoleMapping(role, catalogue)
        guard mapping.includes != nil || mapping.resources != nil else {
            return line(1, "\(YAMLFlow.scalar(role.name)): {}")
        }
        line(1, "\(YAMLFlow.scalar(role.name)):")
        members(2, of: mapping, "")
    }
}

extension APIDescription {
    /// The description as YAML.
    public var yaml: String { DescriptionWriter.text(of: self) }
}
