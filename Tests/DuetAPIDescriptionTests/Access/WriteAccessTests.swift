import DuetAPIDescription
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import TestSupport
import Testing

@Suite("The explanation of changes") struct WriteAccessTests {
    private static let roles = """
        roles:
          reader:
            resources: {customers: {read: {}}, orders: {read: {}}}
          clerk:
            resources:
              customers:
                read: {where: {id: {ne: 3}}}
                create: {except: [state], set: {createdBy: {claim: sub}, state: open}}
                update: {where: {state: {eq: open}}, fields: [name], set: {createdBy: {claim: sub}}}
                delete: {where: {createdBy: {eq: {claim: sub}}}}
              orders: {read: {except: [total]}, create: {}}
        """

    private static func place(_ line: Int) -> String { "api.yaml:\(WriteShop.lines + line)" }

    private static func explanation(
        of request: AccessRequest, as role: String = "clerk", _ claims: JSONObject = ["sub": "ada"]
    ) async throws -> AccessExplanation {
        let database = Database(DatabaseURL(location: .sqliteInMemory))
        let api = try WriteShop.description(roles)
        let resolved = try api.knownRole(role)
        let service = ResourceService(api.catalogue, database: database, encoding: ValueEncoding(dates: .iso))
        let access = try await AccessExplainer(service, role: resolved.role, claims: claims).access(of: request)
        await database.close()
        return AccessExplanation(of: access, to: "REQUEST", resolved, claims: claims)
    }

    // MARK: Overview

    @Test("The overview has the fields, values, rows and lines of the permissions to make changes")
    func overview() throws {
        let overview = try AccessOverview(of: WriteShop.description(Self.roles), role: "clerk")
        #expect(
            overview.markdown == """
                | role | resource | action | fields | rows | rule |
                |---|---|---|---|---|---|
                | clerk | customers | read | all | rows whose id does not equal 3 | \(Self.place(6)) |
                | clerk | customers | create | all; createdBy = the claim sub, state = "open" | rows whose id does not equal 3 | \(Self.place(8)) |
                | clerk | customers | update | name; createdBy = the claim sub | rows whose id does not equal 3 and whose state equals "open"; after the change: rows whose id does not equal 3 | \(Self.place(9)) |
                | clerk | customers | delete |  | rows whose id does not equal 3 and whose createdBy equals the claim sub | \(Self.place(10)) |
                | clerk | orders | read | all except total | all rows | \(Self.place(11)) |
                | clerk | orders | create | all except total | all rows | \(Self.place(11)) |
                | clerk | products | read | none | no rows | not given |

                """)
        guard case .array(let roles)? = overview.json["roles"], case .array(let rules)? = roles.first?["resources"]
        else {
            Issue.record("\(overview.json)")
            return
        }
        #expect(rules.map { $0["action"] } == ["read", "create", "update", "delete", "read", "create"])
        #expect(rules[2]["set"] == ["createdBy": "the claim sub"])
        #expect(rules[2]["rowsAfter"] == "rows whose id does not equal 3")
    }

    // MARK: Permitted changes

    @Test("A permitted change names its rule, with the values of claims, and the fields of its answer")
    func permitted() async throws {
        let update = try await Self.explanation(
            of: .rest(method: "PATCH", path: "/customers/7", query: [("fields", "name")], body: ["name": "Bob"]))
        #expect(update.isAllowed && update.isWrite)
        #expect(
            update.text == """
                REQUEST
                as clerk with the claims {"sub":"ada"}

                customers: update, by \(Self.place(9))
                  fields: name
                  set: createdBy = the claim sub ("ada")
                  rows: rows whose id does not equal 3 and whose state equals "open"
                  rows after the change: rows whose id does not equal 3
                customers: read, by \(Self.place(6))
                  fields: id, name
                  rows: rows whose id does not equal 3

                allowed

                """)
        let graphQL = try await Self.explanation(
            of: .graphQL(
                document:
                    #"mutation { updateCustomer(id: 7, patch: {name: "Bob"}) { customer { id name } errors { message } } }"#,
                variables: [:]))
        #expect(graphQL.text == update.text)
        let delete = try await Self.explanation(of: .rest(method: "DELETE", path: "/customers/7", query: []))
        #expect(delete.isAllowed)
        #expect(
            delete.text.contains(
                """
                customers: delete, by \(Self.place(10))
                  rows: rows whose id does not equal 3 and whose createdBy equals the claim sub ("ada")
                """), "\(delete.text)")
        let create = try await Self.explanation(of: .rest(method: "POST", path: "/orders", query: []))
        #expect(create.isAllowed)
        #expect(create.text.contains("  fields: id, customerId, note\n  new rows: all rows\n"), "\(create.text)")
        guard case .array(let changes)? = create.json["changes"] else {
            Issue.record("\(create.json)")
            return
        }
        #expect(changes.map { $0["action"] } == ["create"])
    }

    // MARK: Refused changes

    @Test(
        "A change without permission, with other fields or without a claim is refused, and the explanation names the rule",
        arguments: [
            (
                "PATCH", "/customers/7", nil, "reader", ["sub": "ada"], "405 method-not-allowed",
                "customers permits update, but reader does not have this permission"
            ),
            (
                "PATCH", "/orders/7", ["note": "x"], "clerk", ["sub": "ada"], "405 method-not-allowed",
                "orders permits update, but clerk does not have this permission"
            ),
            (
                "DELETE", "/orders/7", nil, "clerk", ["sub": "ada"], "405 method-not-allowed",
                "the request is refused without roles, too"
            ),
            (
                "PATCH", "/customers/7", ["state": "closed"], "clerk", ["sub": "ada"], "422 validation-failed",
                "update of clerk does not include the field customers.state (\(place(9)))"
            ),
            (
                "DELETE", "/customers/7", nil, "clerk", [:], "403 claim-missing",
                "the rule for delete of customers uses the claim sub (\(place(10)))"
            ),
            (
                "POST", "/customers", nil, "clerk", ["sub": 7], "403 claim-mismatch",
                "the rule for create of customers uses the claim sub (\(place(8)))"
            ),
            ("POST", "/nothing", nil, "clerk", [:], "404 unknown-path", "the request is refused without roles, too"),
        ] as [(String, String, JSONValue?, String, JSONObject, String, String)])
    func refused(
        method: String, path: String, body: JSONValue?, role: String, claims: JSONObject, refusal: String,
        reason: String
    ) async throws {
        let explanation = try await Self.explanation(
            of: .rest(method: method, path: path, query: [], body: body), as: role, claims)
        #expect(!explanation.isAllowed)
        #expect(explanation.text.contains("\nrefused: \(refusal)"), "\(explanation.text)")
        #expect(explanation.text.contains("\n  \(reason)\n"), "\(explanation.text)")
    }

    @Test("A mutation that the role does not have, or with other fields, is refused")
    func refusedMutations() async throws {
        for (document, reason) in [
            (
                "mutation { updateOrder(id: 7, patch: {note: null}) { errors { message } } }",
                "orders permits update, but clerk does not have this permission"
            ),
            (
                "mutation { updateCustomer(id: 7, patch: {state: closed}) { errors { message } } }",
                "update of clerk does not include the field customers.state (\(Self.place(9)))"
            ),
        ] {
            let explanation = try await Self.explanation(of: .graphQL(document: document, variables: [:]))
            #expect(explanation.text.contains("refused: 400 GRAPHQL_VALIDATION_FAILED"), "\(explanation.text)")
            #expect(explanation.text.contains("\n  \(reason)\n"), "\(explanation.text)")
        }
        let claims = try await Self.explanation(
            of: .graphQL(document: "mutation { deleteCustomer(id: 7) { deletedId } }", variables: [:]), [:])
        #expect(claims.text.contains("refused: 403 CLAIM_MISSING"), "\(claims.text)")
    }

    @Test("The explainer never makes a change")
    func noChange() async throws {
        try await TestDatabase.with(.sqlite, schema: false) { database in
            try await database.write {
                try $0.executeScript(
                    """
                    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'open',
                        created_by TEXT);
                    INSERT INTO customers VALUES (7, 'Ada', 'open', 'ada');
                    """)
            }
            let api = try WriteShop.description(Self.roles)
            let service = ResourceService(api.catalogue, database: database, encoding: ValueEncoding(dates: .iso))
            let role = try api.knownRole("clerk").role
            let explainer = try AccessExplainer(service, role: role, claims: ["sub": "ada"])
            let mutation = AccessRequest.graphQL(
                document: "mutation { deleteCustomer(id: 7) { deletedId } }", variables: [:])
            #expect(try await explainer.answer(to: .rest(method: "DELETE", path: "/customers/7", query: [])) == nil)
            #expect(try await explainer.answer(to: mutation)?.status == 400)
            let read = try await explainer.answer(to: .rest(method: "GET", path: "/customers/7", query: []))
            #expect(read?.status == 200)
        }
    }
}
