import Yams

/// A mapping of a YAML document, whose members are accessed by name.
struct YAMLObject {
    /// A member: its name, its value, and the location of the name.
    struct Member {
        let name: String
        let value: Node
        let mark: Mark?
    }

    let members: [Member]
    let mark: Mark?
    /// The definition of the valid members; nil if all names are valid.
    let mapping: Mapping?

    /// Creates the object for a node; nil if the node is not a mapping with scalar keys.
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

    /// Returns the member with the given name. The name must be defined in ``mapping``.
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

    /// The text of a scalar; nil if the scalar is not a text.
    var text: String? {
        guard case .text(let text) = scalarValue else { return nil }
        return text
    }

    /// The elements of a list; for any other node, an array that contains only the node.
    var nodes: [Node] {
        guard case .sequence(let nodes) = self else { return [self] }
        return Array(nodes)
    }

    /// The kind of the value for error messages: `a list`.
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
