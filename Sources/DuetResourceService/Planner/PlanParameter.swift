import DuetJSON
import DuetResultSetJSON
import DuetSQLDatabase

/// The use of a named parameter (``Operand/parameter(_:)``) in the statements of a plan.
struct PlanParameter: Sendable, Hashable {
    /// The argument of the statement that results from a value of the parameter.
    enum Form: String, Sendable {
        case value
        /// The elements of a list.
        case list
        /// The elements of a list that consist of ASCII characters.
        case plainList
        /// The elements of a list that contain other characters.
        case otherList
        /// The spellings of a value or of the elements of a list; see ``StoredSpellings``.
        case spellings
        /// The first spelling of a value.
        case firstSpelling
        /// The pattern of a text comparison.
        case pattern
        /// 1 if a list has elements, otherwise 0.
        case isNotEmpty
    }

    /// The name of the parameter.
    let name: String
    /// The field with which the value is compared.
    let field: Field
    /// The name of the resource of the field.
    let resource: String
    /// True if the value is a list.
    let isList: Bool
    let form: Form

    /// The name of the parameter in the statement. It is the same in all statements of a plan, and different parameters
    /// have different names, because names of resources and fields contain no underscores.
    var argumentName: String {
        let name = self.name.utf8.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
            return isPlain ? String(UnicodeScalar(byte)) : "_\(String(byte, radix: 16))_"
        }
        return "q_\(name.joined())_\(resource)_\(field.name)_\(form.rawValue)"
    }

    /// The maximum number of values in a list.
    private static let maximumValues = 1_000

    /// Returns the arguments of several parameters.
    /// - Throws: ``ParameterError``; see ``argument(_:_:)``.
    static func arguments(
        of bound: [PlanParameter], _ parameters: [String: JSONValue], _ reader: ValueReader
    ) throws(ParameterError) -> Arguments {
        var arguments = Arguments()
        for parameter in bound { arguments[parameter.argumentName] = try parameter.argument(parameters, reader) }
        return arguments
    }

    /// Returns the argument.
    /// - Parameter parameters: The values of the parameters, by name.
    /// - Throws: ``ParameterError`` if the parameter has no value, or if the value cannot be compared with the field.
    func argument(
        _ parameters: [String: JSONValue], _ reader: ValueReader
    ) throws(ParameterError) -> Arguments.Argument {
        guard let value = parameters[name], value != .null else { throw ParameterError(name, .missing) }
        var elements = [value]
        if isList {
            guard case .array(let list) = value, list.count <= Self.maximumValues else {
                throw ParameterError(name, .mismatch(expected: "a list of at most \(Self.maximumValues) values"))
            }
            elements = list
        }
        var values: [SQLValue] = []
        for element in elements { values.append(try self.value(element, reader)) }
        switch form {
        case .value: return .value(field.bound(values[0]))
        case .list: return field.list(values)
        case .plainList: return .list(values.filter(\.isASCII).map(field.bound))
        case .otherList: return .list(values.filter { !$0.isASCII }.map(field.bound))
        case .spellings: return .list(spellings(values).map { .text($0) })
        case .firstSpelling: return .value(spellings(values).first.map { .text($0) } ?? .null)
        case .isNotEmpty: return .value(.integer(values.isEmpty ? 0 : 1))
        case .pattern: return .value(TextPattern(values[0].keyText).argument(for: field, reader.dialect))
        }
    }

    private func value(_ element: JSONValue, _ reader: ValueReader) throws(ParameterError) -> SQLValue {
        if form == .pattern {
            guard case .string(let text) = element else { throw ParameterError(name, .mismatch(expected: "a text")) }
            return .text(text)
        }
        do {
            return try reader.value(element, of: field, name)
        } catch {
            throw ParameterError(name, .mismatch(expected: ValueReader.requirement(of: field.type)))
        }
    }

    private func spellings(_ values: [SQLValue]) -> [String] {
        StoredSpellings(values.map(\.keyText), field.type)?.texts ?? []
    }
}

/// The error for a named parameter of a condition, if the caller has not set its value, or has set a value that cannot
/// be compared with the field.
public struct ParameterError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason of the error.
    public enum Reason: Sendable, Hashable {
        /// The parameter has no value, or its value is null.
        case missing
        /// The value does not have the type of the field. `expected` describes the valid values.
        case mismatch(expected: String)
    }

    /// The name of the parameter.
    public let parameter: String
    /// The reason.
    public let reason: Reason

    init(_ parameter: String, _ reason: Reason) {
        self.parameter = parameter
        self.reason = reason
    }

    /// A sentence with the name of the parameter.
    public var description: String {
        switch reason {
        case .missing: "the parameter \(parameter) has no value; set ResourceService.parameters"
        case .mismatch(let expected): "the value of the parameter \(parameter) must be \(expected)"
        }
    }
}

extension SQLValue {
    /// True if the value is not a text with a character outside ASCII.
    var isASCII: Bool { if case .text(let text) = self { text.utf8.allSatisfy { $0 < 0x80 } } else { true } }
}
