import DuetGraphQL
package import DuetJSON

/// A request to an API with roles.
package enum AccessRequest: Sendable {
    /// A REST request. `path` is encoded, and the names and values of `query` are decoded. `body` is the body of a
    /// write; nil if it is unknown.
    case rest(method: String, path: String, query: RESTStyle.Query, body: JSONValue? = nil)
    /// A GraphQL request.
    case graphQL(document: String, variables: JSONObject)
}

/// The effect of a role on a request: the resources that the request reads and changes, and the reason if it is
/// refused.
package struct RequestAccess: Sendable {
    /// The part of a request that concerns one resource.
    package struct Part: Sendable, Hashable {
        /// The name of the resource.
        package let resource: String
        /// True if the role sees the resource.
        package let isVisible: Bool
        /// The fields that the request reads and the role sees.
        package let fields: [String]
        /// The fields that the request names and the role does not see.
        package let hiddenFields: [String]
        /// The relations that the request names and the role does not see.
        package let hiddenRelations: [String]
        /// The description of the rows that the caller sees: `rows whose …`, with the values of claims. For a resource
        /// that the role does not see, `no rows`.
        package let rows: String
    }

    /// The rules for a change that the request makes.
    package struct Change: Sendable, Hashable {
        /// A value that the service sets.
        package struct SetValue: Sendable, Hashable {
            /// The name of the field.
            package let field: String
            /// A description of the value, with that of a claim.
            package let value: String
        }

        /// The name of the resource.
        package let resource: String
        /// The kind of change.
        package let kind: WriteRules.Kind
        /// True if the role permits this kind of change.
        package let isPermitted: Bool
        /// The fields that the request can set.
        package let fields: [String]
        /// The fields that the request sets, and that the resource permits but the role does not.
        package let refusedFields: [String]
        /// The values that the service sets.
        package let set: [SetValue]
        /// The description of the rows that the request can change or remove; nil for new rows.
        package let rows: String?
        /// The description of the rows that are permitted after the change; nil for a removal.
        package let rowsAfter: String?
    }

    /// The reason why the request is refused.
    package struct Refusal: Sendable, Hashable {
        /// The status of the response. Over GraphQL, it is that of `application/graphql-response+json`.
        package let status: Int
        /// The code of the error, in the format of the style.
        package let code: String
        /// The message to the client.
        package let detail: String
        /// The claim that is missing or has the wrong type.
        package var claim: ClaimPath?
        /// True if the request would also be refused without roles.
        package var isIndependentOfRole = false

        init(status: Int, code: String, detail: String) {
            self.status = status
            self.code = code
            self.detail = detail
        }

        init(_ error: ServiceError) {
            self.init(status: error.code.status, code: error.code.rawValue, detail: error.detail)
        }

        /// Creates the reason from an error of a GraphQL request. A request error without a code is an error of the
        /// document or of its variables.
        init(_ error: GraphQLError, isRequestError: Bool) {
            self.init(
                status: isRequestError ? 400 : 200, code: error.code ?? "GRAPHQL_VALIDATION_FAILED",
                detail: error.message)
        }

        init(_ error: ParameterError, isGraphQL: Bool) {
            let service = ServiceError(describing: error)
            self.init(
                status: service.code.status, code: isGraphQL ? service.code.graphQLCode : service.code.rawValue,
                detail: service.detail)
            claim = ClaimPath(parameter: error.parameter)
        }
    }

    /// The resources that the request reads, in the order in which the request names them.
    package let parts: [Part]
    /// The changes that the request makes; empty for a request that only reads.
    package var changes: [Change] = []
    /// The reasons why the request, or a field of a GraphQL request, is refused; empty if the request is permitted.
    package let refusals: [Refusal]

    /// True if the request makes changes.
    package var isWrite: Bool { !changes.isEmpty }
}
