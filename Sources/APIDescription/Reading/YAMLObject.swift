import Yams

/// A mapping of a YAML document, whose members are read by their names.
struct YAMLObject {
    /// A member: its name, its value, and the place of the name.
    struct Member {
        let name: String
        let value: Node
        let mark: Mark?
    }

    let members: [Member]
    let mark: Mark?
    /// The members that there can be; nil for any names.
    let mapping: Mapping?

    /// - Returns: nil for a node that is not a mapping with texts as keys.
    init?(_ node: Node, _ mapping: Mapping? = nil) {
        guard case .mapping(let pairs) = node else { return nil }
        var members: [Member] = []
        members.reserveCapacity(pairs.count)
        for (key, value) in pairs {
            guard let name = key.scalar?.string else { return nil }
            members.append(Member(name: name, value: value, mark: key.mark))
        }
        self.members = members
        mark = pairs.mark
        self.mapping = mapping
    }

    /// The member of that name. The name is in the table of the mapping.
    subscript(name: String) -> Member? {
        assert(mapping.map { $0[name] != nil } ?? true, "no member \(name)")
        return members.first { $0.name == name }
    }
}

extension Node {
    /// The value of a scalar; nil for a mapping or a list.
    var scalarValue: YAMLScalar? {
        guard case .scalar(let scalar) = self else { return nil }
        return scalar.style == .plain || scalar.style == .any ? YAMLScalar(plain: scalar.string) : .text(scalar.string)
    }

    /// The text of a scalar that is a text.
    var text: String? {
        guard case .text(let text) = scalarValue else { return nil }
        return text
    }

    /// The nodes of a list, or the one node.
    var nodes: [Node] {
        guard case .sequence(let nodes) = self else { return [self] }
        return Array(nodes)
    }

    /// The kind of the value, for errors: `a list`.
    var kindName: String {
        switch self {
        case .mapping: "a mapping"
        case .sequence: "a list"
        case .alias: "an alias"
        case .scalar(let scalar):
            switch scalarValue {
            case .null: "null"
            case .bool, .integer, .unsigned, .double: scalar.string
            case .text, nil: "\"\(scalar.string)\""
            }
        }
    }
}
