import DuetHTTPSemantics

/// Finds the path template that matches a request target.
///
/// A segment of a template is a literal, or parameters in braces, which match any segment. Several parameters in one
/// segment, such as `{orderId},{productId}`, are one parameter with the name `orderId,productId`. A literal has
/// priority over a parameter.
///
/// The templates form a trie of segments. The time of a search depends on the number of segments in the path, and not
/// on the number of templates.
package struct PathRouter: Sendable {
    /// A path with parameters.
    package struct Template: Sendable {
        enum Segment: Sendable {
            case literal(Substring)
            /// A parameter. Its values are positive whole numbers if `isNumber` is true, otherwise texts.
            case parameter(name: String, isNumber: Bool)
        }

        let segments: [Segment]
        /// The names of the parameters in their order.
        let parameters: [String]

        /// Creates a template.
        /// - Parameters:
        ///   - path: The path, with parameters in braces. It must begin with a literal segment, so that no redirection
        ///     can lead to another host.
        ///   - numbers: The names of the parameters whose values are positive whole numbers.
        package init(_ path: String, numbers: Set<String> = []) {
            segments = path.split(separator: "/").map { part in
                guard part.hasPrefix("{") else { return .literal(part) }
                let name = part.dropFirst().dropLast().replacing("},{", with: ",")
                return .parameter(name: String(name), isNumber: numbers.contains(String(name)))
            }
            parameters = segments.compactMap { if case .parameter(let name, _) = $0 { name } else { nil } }
        }
    }

    /// The template that a path matches, and the values of its parameters.
    package struct Match: Sendable {
        /// The position of the template in the list from which the router was created.
        package let template: Int
        package let parameters: PathParameters
    }

    private struct Node: Sendable {
        /// The positions of the next nodes by their literal segments.
        var literals: [Substring: Int] = [:]
        /// The position of the next node after a parameter.
        var parameter: Int?
        /// The position of the template that ends at this node.
        var template: Int?
    }

    let templates: [Template]
    /// The nodes. The first one is the root.
    private var nodes = [Node()]

    /// Creates the router of templates. If two of them match the same paths, the first one is found.
    package init(_ templates: [Template]) {
        self.templates = templates
        for (position, template) in templates.enumerated() {
            let node = template.segments.reduce(0) { next(after: $0, $1) }
            nodes[node].template = nodes[node].template ?? position
        }
    }

    /// Returns the position of the node for a segment of a template. The node is added if it does not exist.
    private mutating func next(after node: Int, _ segment: Template.Segment) -> Int {
        let known =
            switch segment {
            case .literal(let text): nodes[node].literals[text]
            case .parameter: nodes[node].parameter
            }
        if let known { return known }
        nodes.append(Node())
        switch segment {
        case .literal(let text): nodes[node].literals[text] = nodes.count - 1
        case .parameter: nodes[node].parameter = nodes.count - 1
        }
        return nodes.count - 1
    }

    /// Returns the template that matches the path of a target. Empty segments of the path are ignored. The query is not
    /// part of the path.
    /// - Returns: `nil` if no template matches.
    package func match(_ target: String) -> Match? {
        let end = target.utf8.firstIndex(of: .questionMark) ?? target.endIndex
        var segments: [Substring] = []
        guard let template = find(target[..<end], below: 0, &segments) else { return nil }
        return Match(
            template: template, parameters: PathParameters(names: templates[template].parameters, segments: segments))
    }

    /// Returns the template for the rest of a path.
    /// - Parameter parameters: The segments that match parameters. The function appends the segments of the rest.
    private func find(_ path: Substring, below node: Int, _ parameters: inout [Substring]) -> Int? {
        guard let start = path.utf8.firstIndex(where: { $0 != .slash }) else { return nodes[node].template }
        let end = path.utf8[start...].firstIndex(of: .slash) ?? path.endIndex
        let (segment, rest) = (path[start..<end], path[end...])
        if let literal = nodes[node].literals[segment], let found = find(rest, below: literal, &parameters) {
            return found
        }
        guard let parameter = nodes[node].parameter else { return nil }
        parameters.append(segment)
        if let found = find(rest, below: parameter, &parameters) { return found }
        parameters.removeLast()
        return nil
    }
}

/// The encoded segments of a path that match the parameters of its template.
package struct PathParameters: Sendable {
    fileprivate let names: [String]
    fileprivate let segments: [Substring]

    /// Returns the encoded segment of a parameter; `nil` for an unknown name.
    package subscript(name: String) -> String? {
        names.firstIndex(of: name).map { String(segments[$0]) }
    }
}
