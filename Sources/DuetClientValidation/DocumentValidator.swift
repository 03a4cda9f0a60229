public import DuetClient
import DuetGraphQL

/// Validates the operations of an app against the schema of a service. Use it in debug builds and tests.
///
///     let validator = try DocumentValidator(schema: sdl)
///     try validator.validate(EmployeeQuery.self, RenameEmployee.self)
///
/// The validator applies the rules of the specification to each document. If models define the fields of the operation,
/// the validator also compares the Swift type of each property with the type of its field.
public struct DocumentValidator: Sendable {
    private let schema: Schema
    private let types: TypeConditions?

    /// Creates a validator.
    /// - Parameters:
    ///   - schema: The schema of the service in the schema definition language.
    ///   - types: The `types` of the client's `CachePolicies`. The validator reports a fragment on an interface or a
    ///     union if `types` and the schema have different object types for it. If `types` is `nil`, the validator omits
    ///     this check.
    /// - Throws: ``ValidationErrors`` with the errors of the schema.
    public init(schema: String, types: TypeConditions? = nil) throws(ValidationErrors) {
        self.types = types
        do throws(GraphQLErrors) {
            self.schema = try Schema(sdl: schema)
        } catch {
            throw ValidationErrors(
                error.map { fault in
                    ValidationError(
                        fault.message, line: fault.locations.first?.line, column: fault.locations.first?.column)
                })
        }
    }

    /// The object types of each interface and union, for the `types` of `CachePolicies`:
    ///
    ///     CachePolicies(types: TypeConditions(possibleTypes: validator.possibleTypes))
    ///
    /// An app that does not link the validator can define this dictionary as a constant. A test can then compare the
    /// constant with this property.
    public var possibleTypes: [String: Set<String>] {
        var types: [String: Set<String>] = [:]
        for type in schema.types where type.isAbstract {
            types[type.name] = Set(schema.possibleTypes(of: type).map(\.name))
        }
        return types
    }

    /// Validates operations.
    /// - Throws: ``ValidationErrors`` with all errors of all operations.
    public func validate(_ operations: any GraphQLOperation.Type...) throws(ValidationErrors) {
        let errors = operations.flatMap { self.errors(in: $0) }
        if !errors.isEmpty { throw ValidationErrors(errors) }
    }

    /// Returns the errors of an operation; an empty array if the operation is valid.
    public func errors(in operation: any GraphQLOperation.Type) -> [ValidationError] {
        let name = "\(operation)"
        let document: OperationDocument
        do throws(ModelError) {
            document = try operation.document()
            if let operation = operation as? any DocumentOperation.Type {
                return errors(inSource: try operation.source, of: name)
            }
        } catch {
            return [ValidationError("\(error)", operation: name)]
        }
        return errors(in: document, of: name)
    }

    private func faults(of document: Document) -> [GraphQLError] {
        let errors = Validation.validate(document, against: schema)
        guard let types else { return errors }
        return errors + AbstractConditions(document, schema: schema, types: types).errors
    }

    /// Validates the text of a GraphQL document. The lines and columns of errors refer to this text.
    private func errors(inSource source: String, of name: String) -> [ValidationError] {
        do throws(GraphQLError) {
            return faults(of: try Parser.parse(Source(source, name: name))).map { error in
                ValidationError(
                    error.message, operation: name, line: error.locations.first?.line,
                    column: error.locations.first?.column)
            }
        } catch {
            return [ValidationError("\(error)", operation: name)]
        }
    }

    private func errors(in document: OperationDocument, of name: String) -> [ValidationError] {
        let parsed: Document
        do throws(GraphQLError) {
            parsed = try Parser.parse(Source(document.text, name: name))
        } catch {
            return [ValidationError("\(error)", operation: name)]
        }
        let index = ReaderIndex(parsed, document.map)
        var errors: [ValidationError] = []
        for error in faults(of: parsed) where !index.isFragmentType(error.locations) {
            errors.append(index.error(error, operation: name))
        }
        var check = ModelCheck(schema: schema, operation: name)
        check.check(document)
        errors += check.errors
        // A model can occur several times, but its errors are reported once.
        var known: Set<ValidationError> = []
        return errors.filter { known.insert($0).inserted }
    }
}
