import DuetJSON
import NIOHTTP1

extension APIClient {
    /// Sends a GraphQL document by POST, as most clients do.
    func graphQL(
        _ query: String, _ variables: JSONValue? = nil, operationName: String? = nil, _ headers: HTTPHeaders = [:]
    ) async throws -> TestResponse {
        var object = JSONObject()
        object["query"] = .string(query)
        if let variables { object["variables"] = variables }
        if let operationName { object["operationName"] = .string(operationName) }
        return try await send(.POST, "/graphql", json: JSONValue.object(object).compactText, headers)
    }

    /// Returns the request target of a GraphQL request by GET, with encoded parameters.
    static func graphQLTarget(_ parameters: KeyValuePairs<String, String>) -> String {
        let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        let encoded = parameters.map { name, value in
            name + "="
                + value.utf8.map { byte in
                    unreserved.contains(byte)
                        ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
                }.joined()
        }
        return "/graphql?" + encoded.joined(separator: "&")
    }
}

extension TestResponse {
    /// Returns the `data` of a GraphQL response. Throws an error if the response has errors.
    func data() throws -> JSONValue {
        let response = try json()
        guard let data = response["data"], response["errors"] == nil else { throw UnexpectedBody(text: text) }
        return data
    }

    /// The messages of the errors of a GraphQL response.
    var messages: [String] { errorTexts { $0["message"] } }

    /// The `extensions.code` of each error of a GraphQL response.
    var codes: [String] { errorTexts { $0["extensions"]?["code"] } }

    /// The `extensions.parameter` of each error of a GraphQL response.
    var parameters: [String] { errorTexts { $0["extensions"]?["parameter"] } }

    private func errorTexts(_ text: (JSONValue) -> JSONValue?) -> [String] {
        guard case .array(let errors)? = try? json()["errors"] else { return [] }
        return errors.map { if case .string(let text)? = text($0) { text } else { "" } }
    }
}
