package import DuetJSON
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
    /// The fields of each resource, for checking the orders of relations and the permissions of roles.
    private(set) var fieldNames: [String: Set<String>] = [:]
    /// The relations of each resource, for checking the permissions of roles.
    private(set) var relationNames: [String: Set<String>] = [:]
    /// The names that refer to other resources. They are checked after all resources have been read.
    private var references: [Reference] = []
    /// The remaining number of members that may be read. The limit is necessary because aliases can repeat a part of a
    /// file any number of times.
    var remainingMembers = 100_000

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
        guard let object = object(root, "the description", RootMapping.self) else { throw collected }
        checkVersion(object)
        let summary = read(\.description, of: object) ?? "The data of a database."
        let formats = object[\.formats].flatMap { self.object($0.value, $0.name, FormatsMapping.self) }
        let dates = formats.flatMap { read(\.dates, of: $0) } ?? .iso
        let timeZone = formats.flatMap { read(\.timeZone, of: $0) } ?? APIDescription.defaultTimeZone
        if let formats, TimeZone(identifier: timeZone) == nil {
            report(
                formats[\.timeZone]?.value.mark,
                "timeZone must be a name from the time zone data of the system, such as Europe/Paris, not \"\(timeZone)\""
            )
        }
        let maximumQueryCost = read(\.maxQueryCost, of: object).map(Int.init)
        _ = read(\.schema, of: object)
        guard let resources = object[\.resources] else { throw collected }
        guard let members = names(resources.value, resources.name)?.members else { throw collected }
        if members.isEmpty {
            report(resources.mark, "the description has no resources; create them with duet introspect")
        }
        var drafts: [ResourceDraft] = []
        for member in members {
            note([member.name], member.mark)
            if let draft = resource(member) { drafts.append(draft) }
        }
        checkReferences(Set(members.map(\.name)))
        let areResourcesValid = findings.isEmpty
        let roles = object[\.roles].map { self.roles($0, Set(members.map(\.name))) } ?? []
        guard areResourcesValid else { throw collected }
        var catalogue = try catalogue(drafts, summary)
        catalogue.maximumQueryCost = maximumQueryCost
        var description = APIDescription(catalogue, dates: dates, timeZone: timeZone)
        description.roles = roles.map { role($0, catalogue) }
        description.places = places
        guard findings.isEmpty else { throw collected }
        if !roles.isEmpty { try description.checkRoles() }
        return description
    }

    /// Returns the value of a YAML document as JSON.
    /// - Throws: ``DescriptionError`` if the text is not YAML.
    func value(of text: String) throws -> JSONValue { json(try root(of: text)) }

    func root(of text: String) throws -> Node {
        do {
            // The basic resolver does not determine the types of scalars. The default resolver would apply regular
            // expressions to each scalar.
            guard let node = try Yams.compose(yaml: Self.joiningSurrogates(in: text), .basic) else {
                throw error(nil, "the description is empty; create one with duet introspect")
            }
            return node
        } catch let yaml as YamlError {
            throw error(yaml)
        }
    }

    /// Replaces the JSON escapes that YAML does not support, surrogate pairs (RFC 8259, section 7), by the characters
    /// that they encode. A text that does not begin with `{` is not JSON, and remains unchanged.
    private static func joiningSurrogates(in text: String) -> String {
        guard text.utf8.first(where: { $0 > 0x20 }) == UInt8(ascii: "{"), text.utf8.contains(UInt8(ascii: "\\")) else {
            return text
        }
        return text.replacing(/\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/) { match in
            let escapes = String(match.output)
            guard case .string(let character)? = try? JSONValue(parsing: "\"\(escapes)\"".utf8) else { return escapes }
            return character
        }
    }

    private func checkVersion(_ object: MappedObject<RootMapping>) {
        guard let version = object[\.duet] else { return }
        guard case .integer(Int64(RootMapping.version)) = version.value.scalarValue else {
            report(
                version.value.mark,
                "the version of the format must be \(RootMapping.version), not \(version.value.kindName)")
            return
        }
    }

    /// Creates the catalogue of the resources. Named filters are read last, because they refer to other resources.
    private func catalogue(_ drafts: [ResourceDraft], _ description: String) throws -> Catalogue {
        do {
            let bare = try Catalogue(drafts.map(\.resource), description: description)
            guard drafts.contains(where: { !$0.filters.isEmpty }) else { return bare }
            var resources: [Resource] = []
            let known = findings.count
            for draft in drafts {
                var resource = draft.resource
                resource.filters = draft.filters.compactMap { filter($0, of: resource, bare) }
                resources.append(resource)
            }
            guard findings.count == known else { throw collected }
            return try Catalogue(resources, description: description)
        } catch let mistake as CatalogueError {
            report(places.mark(of: mistake.path), "\(mistake)")
            throw collected
        }
    }

    // MARK: References

    func setFields(_ names: Set<String>, of resource: String) { fieldNames[resource] = names }

    func setRelations(_ names: Set<String>, of resource: String) { relationNames[resource] = names }

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

    /// Stores the location of a name, for errors that are detected later.
    func note(_ path: [String], _ mark: Mark?) { places.note(path, mark) }

    func note(_ place: RolePlace, _ mark: Mark?) { places.note(place, mark) }

    /// Reports problems in roles.
    func report(_ problems: [RoleProblem]) {
        for problem in problems { report(places.mark(of: problem.place), problem.message) }
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

/// Converts YAML to JSON, for small files other than descriptions.
package enum YAMLDocument {
    /// Returns the value of a document.
    /// - Throws: ``DescriptionError`` if the text is not YAML.
    package static func json(of text: String, file: String) throws -> JSONValue {
        try DescriptionReader(file: file).value(of: text)
    }
}
