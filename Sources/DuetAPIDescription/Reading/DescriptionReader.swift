import DuetJSON
import DuetResourceService
import Foundation
import Yams

/// Reads a description and collects its errors with their locations.
final class DescriptionReader {
    private let file: String
    /// The format according to the file name. JSON is a subset of YAML, and one parser reads both.
    private var format: String { file.lowercased().hasSuffix(".json") ? "JSON" : "YAML" }
    private var findings: [DescriptionError.Finding] = []
    private var places: DescriptionPlaces
    var nearestName = NearestName()
    /// The fields of each resource, for checking the orders of relations.
    private var fieldNames: [String: Set<String>] = [:]
    /// The names that refer to other resources. They are checked after all resources have been read.
    private var references: [Reference] = []
    /// The remaining number of members that may be read. The limit is necessary because aliases can repeat a part of a
    /// file any number of times.
    private var remainingMembers = 100_000

    /// A name in a relation that refers to a resource or to one of its fields.
    struct Reference {
        let path: String
        let target: String
        let field: String?
        let mark: Mark?
    }

    /// - Parameter file: The name of the file, for error messages.
    init(file: String) {
        self.file = file
        places = DescriptionPlaces(file: file)
    }

    /// Reads the text of a description.
    /// - Throws: ``DescriptionError`` with all detected errors.
    func read(_ text: String) throws -> APIDescription {
        // Each member requires several characters, so a description without aliases does not reach the limit.
        remainingMembers += text.utf8.count
        let root = try root(of: text)
        guard let object = object(root, "the description", .description) else { throw collected }
        checkVersion(object)
        let summary = self.text(object, "description") ?? "The data of a database."
        let formats = object["formats"].flatMap { self.object($0.value, "formats", .formats) }
        let dates = choice(formats, "dates", APIDescription.Dates.self) ?? .iso
        let timeZone = formats.flatMap { self.text($0, "timeZone") } ?? APIDescription.defaultTimeZone
        if let formats, TimeZone(identifier: timeZone) == nil {
            report(
                formats["timeZone"]?.value.mark,
                "timeZone must be a name from the time zone data of the system, such as Europe/Paris, not \"\(timeZone)\""
            )
        }
        let maximumQueryCost = integer(object, "maxQueryCost").map(Int.init)
        _ = self.text(object, "$schema")
        guard let resources = object["resources"] else { throw collected }
        guard let members = names(resources.value, "resources")?.members else { throw collected }
        if members.isEmpty {
            report(resources.mark, "the description has no resources; create them with duet introspect")
        }
        var read: [ResourceDraft] = []
        for member in members {
            note([member.name], member.mark)
            if let draft = resource(member) { read.append(draft) }
        }
        checkReferences(Set(members.map(\.name)))
        guard findings.isEmpty else { throw collected }
        var catalogue = try catalogue(read, summary)
        catalogue.maximumQueryCost = maximumQueryCost
        var description = APIDescription(catalogue, dates: dates, timeZone: timeZone)
        description.places = places
        return description
    }

    /// Returns the value of a YAML document as JSON.
    /// - Throws: ``DescriptionError`` if the text is not YAML.
    func value(of text: String) throws -> JSONValue { json(try root(of: text)) }

    func root(of text: String) throws -> Node {
        do {
            // The basic resolver does not determine the types of scalars. The default resolver would apply regular
            // expressions to each scalar.
            guard let node = try Yams.compose(yaml: JSONEscapes.joined(text), .basic) else {
                throw error(nil, "the description is empty; create one with duet introspect")
            }
            return node
        } catch let yaml as YamlError {
            throw error(yaml)
        }
    }

    private func checkVersion(_ object: YAMLObject) {
        guard let version = object["duet"] else { return }
        guard case .integer(Int64(Mapping.version)) = version.value.scalarValue else {
            report(
                version.value.mark,
                "the version of the format must be \(Mapping.version), not \(version.value.kindName)")
            return
        }
    }

    /// Creates the catalogue of the resources. Named filters are read last, because they refer to other resources.
    private func catalogue(_ drafts: [ResourceDraft], _ description: String) throws -> Catalogue {
        do {
            let bare = try Catalogue(drafts.map(\.resource), description: description)
            guard drafts.contains(where: { !$0.filters.isEmpty }) else { return bare }
            var resources: [Resource] = []
            for draft in drafts {
                var resource = draft.resource
                resource.filters = draft.filters.compactMap { filter($0, of: resource, bare) }
                resources.append(resource)
            }
            guard findings.isEmpty else { throw collected }
            return try Catalogue(resources, description: description)
        } catch let mistake as CatalogueError {
            report(places.mark(of: mistake.path), "\(mistake)")
            throw collected
        }
    }

    // MARK: References

    func setFields(_ names: Set<String>, of resource: String) { fieldNames[resource] = names }

    func add(_ reference: Reference) { references.append(reference) }

    private func checkReferences(_ resources: Set<String>) {
        for reference in references {
            if let field = reference.field {
                guard let fields = fieldNames[reference.target] else { continue }
                checkName(field, reference.mark, "\(reference.path): \(reference.target)", "field", among: fields)
            } else if !resources.contains(reference.target) {
                report(
                    reference.mark,
                    "\(reference.path) refers to \(reference.target), which is not a resource"
                        + nearestName.hint(reference.target, among: resources.sorted()))
            }
        }
    }

    /// Reports a name that is not in a set of names.
    func checkName(_ name: String, _ mark: Mark?, _ owner: String, _ kind: String, among names: Set<String>) {
        guard !names.contains(name) else { return }
        report(mark, "\(owner) has no \(kind) \(name)\(nearestName.hint(name, among: names.sorted()))")
    }

    // MARK: Errors

    /// All errors so far, in the order of their locations.
    private var collected: DescriptionError {
        let sorted = findings.enumerated().sorted { left, right in
            (left.element.line ?? 0, left.element.column ?? 0, left.offset)
                < (right.element.line ?? 0, right.element.column ?? 0, right.offset)
        }
        return DescriptionError(findings: sorted.map(\.element))
    }

    func report(_ mark: Mark?, _ message: String) {
        let finding = DescriptionError.Finding(file: file, line: mark?.line, column: mark?.column, message: message)
        // The errors of a mapping are found again at each of its aliases.
        if findings.last != finding { findings.append(finding) }
    }

    private func error(_ mark: Mark?, _ message: String) -> DescriptionError {
        report(mark, message)
        return collected
    }

    private func error(_ yaml: YamlError) -> DescriptionError {
        switch yaml {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            error(
                mark,
                "this is not \(format): \([context?.text, problem].compactMap(\.self).map(Self.sentence).joined(separator: ", "))"
            )
        case .duplicatedKeysInMapping(let duplicates, let context):
            error(
                context.mark,
                "the member \(duplicates.joined(separator: ", ")) occurs twice in one mapping; remove one of them")
        case .reader(let problem, let offset, _, let text):
            unreadable(problem, at: offset, of: text)
        default: error(nil, "this is not \(format): \(yaml)")
        }
    }

    private static func sentence(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Returns the error for a character that YAML does not allow, at the given byte offset.
    private func unreadable(_ problem: String, at offset: Int?, of text: String) -> DescriptionError {
        let before = text.utf8.prefix(offset ?? 0)
        let lines = before.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let column = lines.last.map { String(decoding: $0, as: UTF8.self).unicodeScalars.count }
        findings.append(
            .init(
                file: file, line: offset.map { _ in lines.count },
                column: offset.flatMap { _ in column.map { $0 + 1 } },
                message: "this is not \(format): \(Self.sentence(problem))"))
        return collected
    }

    // MARK: Values

    /// Reads a mapping and checks its members.
    /// - Parameter name: The name of the value, for error messages.
    func object(_ node: Node, _ name: String, _ mapping: Mapping) -> YAMLObject? {
        guard let object = anyObject(node, name, mapping) else { return nil }
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
        for case .name in object.members.compactMap({ mapping[$0.name]?.value }).prefix(1) {
            for member in object.members {
                guard case .name? = mapping[member.name]?.value, let text = member.value.text else { continue }
                checkIsName(text, member.value.mark, "\(name).\(member.name)")
            }
        }
        return object
    }

    /// Reads a mapping whose keys are names of the API.
    func names(_ node: Node, _ name: String) -> YAMLObject? {
        guard let object = anyObject(node, name, nil) else { return nil }
        for member in object.members where member.name != "<<" { checkIsName(member.name, member.mark, name) }
        return object
    }

    /// Reads a mapping with arbitrary keys.
    func anyObject(_ node: Node, _ name: String, _ mapping: Mapping? = nil) -> YAMLObject? {
        guard let object = YAMLObject(node, mapping) else {
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
    func alternative(_ object: YAMLObject, _ path: String) -> Mapping.Alternative? {
        guard let mapping = object.mapping else { return nil }
        let given = Set(object.members.map(\.name))
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

    func text(_ object: YAMLObject, _ name: String) -> String? {
        guard let member = object[name] else { return nil }
        return text(member.value, name)
    }

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

    func flag(_ object: YAMLObject, _ name: String) -> Bool? {
        guard let member = object[name] else { return nil }
        guard case .bool(let flag) = member.value.scalarValue else {
            report(member.value.mark, "\(name) must be true or false, not \(member.value.kindName)")
            return nil
        }
        return flag
    }

    /// Reads an integer.
    /// - Parameter range: The valid numbers; nil for the range in the definition of the mapping.
    func integer(_ object: YAMLObject, _ name: String, in range: ClosedRange<Int64>? = nil) -> Int64? {
        guard let member = object[name], let range = range ?? object.mapping?.range(of: name) else { return nil }
        guard case .integer(let number) = member.value.scalarValue, range.contains(number) else {
            report(
                member.value.mark,
                "\(name) must be an integer from \(range.lowerBound) to \(range.upperBound), not \(member.value.kindName)"
            )
            return nil
        }
        return number
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ object: YAMLObject?, _ name: String, _ type: Choice.Type
    ) -> Choice? where Choice.RawValue == String {
        guard let object, let text = text(object, name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let allowed = Choice.allCases.map(\.rawValue)
            report(
                object[name]?.value.mark,
                "\(name) is one of \(allowed.joined(separator: ", ")), not \"\(text)\"\(nearestName.hint(text, among: allowed))"
            )
            return nil
        }
        return choice
    }

    /// Reads a list of texts, or a single text.
    func texts(_ object: YAMLObject, _ name: String) -> [String]? {
        texts(nodes: object, name)?.map(\.text)
    }

    /// Reads a list of texts with their locations.
    func texts(nodes object: YAMLObject, _ name: String) -> [(text: String, mark: Mark?)]? {
        guard let member = object[name] else { return nil }
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

    /// Stores the location of a name, for errors that are detected later.
    func note(_ path: [String], _ mark: Mark?) { places.note(path, mark) }
}

extension String {
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

extension APIDescription {
    /// Reads a description.
    /// - Parameters:
    ///   - text: The description in YAML or JSON, which is a subset of YAML.
    ///   - file: The name of the file, for error messages.
    /// - Throws: ``DescriptionError``.
    public init(reading text: String, file: String) throws {
        self = try DescriptionReader(file: file).read(text)
    }
}
