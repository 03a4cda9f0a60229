import DuetAPIDescription
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import TestSupport

/// A shop with three roles.
enum AccessShop {
    static let text = """
        duet: 1
        resources:
          products:
            singular: product
            type: Product
            key: [id]
            fields:
              id: {type: int}
              name: {type: text}
              price: {type: decimal, scale: 2}
              purchasePrice: {column: purchase_price, type: decimal, scale: 2}
            defaultFields: [name, price, purchasePrice]
            sort: [name, purchasePrice]
            relations:
              lines: {to: lines, many: 20, columns: {id: product_id}}
          customers:
            singular: customer
            type: Customer
            key: [id]
            fields:
              id: {type: int}
              name: {type: text}
              email: {type: text}
            relations:
              orders: {to: orders, many: 20, columns: {id: customer_id}}
          orders:
            singular: order
            type: Order
            key: [id]
            fields:
              id: {type: int}
              customerId: {column: customer_id, type: int}
              region: {type: text}
            relations:
              customer: {to: customers, one: required, columns: {customer_id: id}}
              lines: {to: lines, few: 5, columns: {id: order_id}}
              products: {to: products, few: 5, through: [{table: lines, columns: {id: order_id}}], columns: {product_id: id}}
            filters:
              european: {whenTrue: {region: {eq: EU}}, whenFalse: {region: {ne: EU}}}
          lines:
            singular: line
            type: Line
            key: [orderId, position]
            fields:
              orderId: {column: order_id, type: int}
              position: {type: int}
              productId: {column: product_id, type: int}
            relations:
              product: {to: products, one: required, columns: {product_id: id}}
        roles:
          visitor:
            resources:
              products: {read: {except: [purchasePrice]}}
          customer:
            includes: [visitor]
            resources:
              customers: {read: {fields: [name, email], where: {id: {eq: {claim: customer}}}}}
              orders: {read: {where: {or: [{customerId: {eq: {claim: customer}}}, {region: {in: {claim: regions}}}]}}}
          clerk:
            resources:
              "*": {read: {}}

        """

    static func description() throws -> APIDescription { try APIDescription(reading: text, file: "api.yaml") }

    /// Returns the line of the first occurrence of a text, or of its first occurrence in the roles.
    static func line(_ part: String) -> Int {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let roles = lines.firstIndex(of: "roles:") ?? 0
        return (lines[roles...].firstIndex { $0.contains(part) } ?? -1) + 1
    }

    /// Explains a request without a database.
    static func explanation(
        of request: AccessRequest, as text: String, _ role: String, _ claims: JSONObject
    ) async throws -> AccessExplanation {
        let database = Database(DatabaseURL(location: .sqliteInMemory))
        let api = try description()
        let resolved = try api.knownRole(role)
        let service = ResourceService(api.catalogue, database: database, encoding: ValueEncoding(dates: .iso))
        let access = try await AccessExplainer(service, role: resolved.role, claims: claims).access(of: request)
        await database.close()
        return AccessExplanation(of: access, to: text, resolved, claims: claims)
    }

    /// Explains a REST request.
    static func rest(
        _ path: String, _ query: RESTStyle.Query = [], as role: String, _ claims: JSONObject = [:],
        method: String = "GET"
    ) async throws -> AccessExplanation {
        try await explanation(of: .rest(method: method, path: path, query: query), as: "REQUEST", role, claims)
    }

    /// Explains a GraphQL request.
    static func graphQL(
        _ document: String, _ variables: JSONObject = [:], as role: String, _ claims: JSONObject = [:]
    ) async throws -> AccessExplanation {
        try await explanation(of: .graphQL(document: document, variables: variables), as: "REQUEST", role, claims)
    }
}
