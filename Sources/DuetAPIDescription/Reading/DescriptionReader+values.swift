import DuetJSON
import Yams

extension DescriptionReader {
    // MARK: Mappings

    /// Reads a mapping and checks its members.
    /// - Parameter name: The name of the value, for error messages.
    func object<Mapping>(_ node: Node, _ name: String, _ type: Mapping.Type) -> MappedObject<Mapping>? {
        guard let object = anyObject(node, name) else { return nil }
        check(object, name, Mapping.members.definition)
        return MappedObject(object: object)
    }

    private func check(_ object: YAMLObject, _ name: String, _ mapping: MappingDefinition) {
        var suggested: Set<String> = []
        for member in object.members where mapping[member.name] == nil && member.name != "<<" {
            let allowed = mapping.members.map(\.name)
            let nearest = nearestName.of(member.name, among: allowed)
            if let nearest { suggested.insert(nearest) }
            let hint = nearest.map { "; did you mean \($0)?" } ?? "; the members are \(allowed.joined(separator: ", "))"
            report(member.mark, "\(name) has no member \(member.name)\(hint)")
        }
        for member in object.members {
            guard let condition = mapping[member.name]?.condition else { continue }
            // If the member of the condition is missing, the reader reports only this missing member.
            guard let other = object[condition.member]?.value.text ?? condition.defaultValue,
                case .choice(let known)? = mapping[condition.member]?.value, known.contains(other)
            else { continue }
            if !condition.values.contains(other) {
                report(
                    member.mark,
                    "\(name) cannot have \(member.name), because its \(condition.member) is \(other), not \(condition.values.joined(separator: " or "))"
                )
            }
        }
        for member in mapping.members
        where member.isRequired && object[member.name] == nil && !suggested.contains(member.name) {
            if let condition = member.condition {
                guard let other = object[condition.member]?.value.text, condition.values.contains(other) else {
                    continue
                }
            }
            var values = ""
            if case .choice(let choices) = member.value { values = ": \(choices.joined(separator: ", "))" }
            report(object.mark, "\(name) needs the member \(member.name)\(values)")
        }
        if mapping.needsMember, object.members.isEmpty {
            let names = mapping.members.map(\.name)
            report(object.mark, "\(name) needs at least one of the members \(names.joined(separator: ", "))")
        }
        for (first, second) in mapping.conflicts {
            guard let member = object[first], object[second] != nil else { continue }
            report(member.mark, "\(name) cannot have both \(first) and \(second); remove one of them")
        }
        for case .name in object.members.compactMap({ mapping[$0.name]?.value }).prefix(1) {
            for member in object.members {
                guard case .name? = mapping[member.name]?.value, let text = member.value.text else { continue }
                checkIsName(text, member.value.mark, "\(name).\(member.name)")
            }
        }
    }

    /// Reads a mapping whose keys are names of the API, or names of another kind.
    func names(_ node: Node, _ name: String, _ kind: MemberDefinition.Names = .ofAPI) -> YAMLObject? {
        guard let object = anyObject(node, name) else { return nil }
        for member in object.members where member.name != "<<" {
            switch kind {
            case .any: break
            case .ofAPI: checkIsName(member.name, member.mark, name)
            case .ofResources:
                if member.name != RoleMapping.anyResource { checkIsName(member.name, member.mark, name) }
            case .ofRoles:
                guard !member.name.isRoleName else { continue }
                report(
                    member.mark,
                    "\(name): \"\(member.name)\" is not a valid name of a role; it consists of ASCII letters, digits and the characters . _ : / @ + -"
                )
            }
        }
        return object
    }

    /// Reads a mapping with arbitrary keys.
    func anyObject(_ node: Node, _ name: String) -> YAMLObject? {
        guard let object = YAMLObject(node) else {
            report(node.mark, "\(name) must be a mapping, not \(node.kindName)")
            return nil
        }
        remainingMembers -= object.members.count
        guard remainingMembers >= 0 else {
            if remainingMembers + object.members.count >= 0 {
                report(node.mark, "aliases make the description too large")
            }
            return nil
        }
        var seen: Set<String> = []
        for member in object.members {
            // YAML treats 1 and "1" as different keys.
            if !seen.insert(member.name).inserted {
                report(member.mark, "the member \(member.name) occurs twice in one mapping; remove one of them")
            }
            if member.name == "<<" {
                report(
                    member.mark,
                    "\(name): merging mappings (<<) is not supported; repeat the members, or use an alias for the whole mapping"
                )
            }
        }
        return object
    }

    private func checkIsName(_ text: String, _ mark: Mark?, _ owner: String) {
        guard !text.isName else { return }
        report(
            mark,
            "\(owner): \"\(text)\" is not a valid name; a name consists of ASCII letters and digits and starts with a letter"
        )
    }

    /// Returns the alternative of the object's mapping that the object uses.
    /// - Returns: Nil if the object uses no alternative or several alternatives, or if a required member of the
    ///   alternative is missing. In these cases, the function reports an error.
    func alternative<Mapping>(_ object: MappedObject<Mapping>, _ path: String) -> MappingDefinition.Alternative? {
        let mapping = Mapping.members.definition
        let given = Set(object.object.members.map(\.name))
        let started = mapping.alternatives.filter { !given.isDisjoint(with: $0.all) }
        guard started.count == 1, started[0].required.allSatisfy(given.contains) else {
            let texts = mapping.alternatives.map { alternative in
                alternative.required.joined(separator: " with ")
                    + alternative.optional.map { " and optionally \($0)" }.joined()
            }
            let list = texts.dropLast().joined(separator: ", ") + (texts.count > 1 ? " or " : "") + (texts.last ?? "")
            report(object.mark, "\(path) needs exactly one of these: \(list)")
            return nil
        }
        return started[0]
    }

    // MARK: Members

    /// Reads a member. Returns nil if the mapping does not have it, or if its value is invalid.
    func read<Mapping, Value>(_ property: KeyPath<Mapping, Value?>, of object: MappedObject<Mapping>) -> Value? {
        guard let member = Mapping.members.member(property), let found = object.object[member.definition.name] else {
            return nil
        }
        return member.read(self, found) as? Value
    }

    /// Reads an integer whose range depends on another member.
    func read<Mapping>(
        _ property: KeyPath<Mapping, Int64?>, of object: MappedObject<Mapping>, in range: ClosedRange<Int64>
    ) -> Int64? {
        object[property].flatMap { integer($0.value, $0.name, in: range) }
    }

    // MARK: Values

    func text(_ node: Node, _ name: String) -> String? {
        guard let text = node.text else {
            report(node.mark, "\(name) must be a text, not \(node.kindName)\(Self.quotes(node))")
            return nil
        }
        return text
    }

    /// Returns the advice to quote a number, a Boolean value or null; empty for a mapping or a list.
    private static func quotes(_ node: Node) -> String {
        guard let scalar = node.scalar, !scalar.string.isEmpty else { return "" }
        return "; put it in quotes"
    }

    func flag(_ node: Node, _ name: String) -> Bool? {
        guard case .bool(let flag) = node.scalarValue else {
            report(node.mark, "\(name) must be true or false, not \(node.kindName)")
            return nil
        }
        return flag
    }

    func integer(_ node: Node, _ name: String, in range: ClosedRange<Int64>) -> Int64? {
        guard case .integer(let number) = node.scalarValue, range.contains(number) else {
            report(
                node.mark,
                "\(name) must be an integer from \(range.lowerBound) to \(range.upperBound), not \(node.kindName)")
            return nil
        }
        return number
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ node: Node, _ name: String, _ type: Choice.Type
    ) -> Choice? {
        guard let text = text(node, name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let allowed = Choice.allCases.map(\.rawValue)
            report(
                node.mark,
                "\(name) is one of \(allowed.joined(separator: ", ")), not \"\(text)\"\(nearestName.hint(text, among: allowed))"
            )
            return nil
        }
        return choice
    }

    /// Reads a list of cases of an enumeration.
    /// - Parameter all: The text that means all cases.
    func choices<Choice: RawRepresentable<String> & CaseIterable & Hashable>(
        _ member: YAMLObject.Member, _ type: Choice.Type, all: String
    ) -> Set<Choice>? {
        guard let found = texts(member) else { return nil }
        if found.count == 1, found[0].text == all { return Set(Choice.allCases) }
        guard !found.isEmpty else {
            report(member.mark, "\(member.name) must not be empty; omit it, or write \(all)")
            return nil
        }
        let allowed = Choice.allCases.map(\.rawValue)
        var choices: Set<Choice> = []
        for (text, mark) in found {
            guard let choice = Choice(rawValue: text) else {
                report(
                    mark,
                    "\(member.name) is \(all), or a list of \(allowed.joined(separator: ", ")), not \"\(text)\"\(nearestName.hint(text, among: allowed + [all]))"
                )
                return nil
            }
            choices.insert(choice)
        }
        return choices
    }

    /// Reads a list of texts, or a single text, with the locations.
    func texts(_ member: YAMLObject.Member) -> [(text: String, mark: Mark?)]? {
        let name = member.name
        var texts: [(text: String, mark: Mark?)] = []
        for node in member.value.nodes {
            guard let text = node.text else {
                report(node.mark, "\(name) must be a list of texts, but contains \(node.kindName)\(Self.quotes(node))")
                return nil
            }
            texts.append((text, node.mark))
        }
        return texts
    }

    /// Returns a value as JSON. A plain scalar is a text, unless YAML reads it as a number, a Boolean value or null.
    func json(_ node: Node) -> JSONValue {
        remainingMembers -= 1
        guard remainingMembers >= 0 else {
            if remainingMembers == -1 { report(node.mark, "aliases make the description too large") }
            return .null
        }
        switch node {
        case .mapping(let mapping):
            return .object(JSONObject(mapping.map { ($0.key.scalar?.string ?? "", json($0.value)) }))
        case .sequence(let sequence): return .array(sequence.map(json))
        case .alias: return .null
        case .scalar:
            switch node.scalarValue {
            case .null, nil: return .null
            case .bool(let flag): return .bool(flag)
            case .integer(let integer): return .integer(integer)
            case .unsigned(let integer): return .string(String(integer))
            case .double(let double): return .double(double)
            case .text(let text): return .string(text)
            }
        }
    }
}

extension String {
    /// True for a name of a role: ASCII letters, digits, and some punctuation characters.
    var isRoleName: Bool {
        !isEmpty
            && utf8.allSatisfy {
                ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z")
                    || $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") || "._:/@+-".utf8.contains($0)
            }
    }

    /// True for a name of the API: ASCII letters and digits, starting with a letter.
    var isName: Bool {
        guard let first = utf8.first, (first | 0x20) >= UInt8(ascii: "a"), (first | 0x20) <= UInt8(ascii: "z") else {
            return false
        }
        return utf8.allSatisfy {
            ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z")
                || $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")
        }
    }
}
