import DuetAPIDescription
import DuetSQLDatabase
import TestSupport
import Testing

@Suite("Validation of writes")
struct WriteValidationTests {
    // MARK: Roles

    /// Returns the findings with line numbers that start at the roles.
    private func findings(_ entries: String) throws -> [String] {
        try WriteShop.description("roles:\n  a:\n    resources: \(entries)\n  b: {includes: [a]}").validateRoles().map {
            "\(($0.line ?? 0) - WriteShop.lines):\($0.column ?? 0): \($0.kind.rawValue): \($0.message)"
        }
    }

    @Test("Permissions of which each part has an effect have no findings")
    func fits() throws {
        #expect(
            try findings(
                """
                {"*": {read: {}, create: {}}, customers: {read: {where: {state: {eq: open}}}, create: {set: {state: open}},
                      update: {where: {state: {ne: closed}}, set: {createdBy: {claim: sub}}, check: {name: {ne: x}}}, delete: {}}}
                """) == [])
    }

    @Test(
        "A permission without effect, and a rule that never holds, are warnings, once for all roles that include it",
        arguments: [
            (
                "{customers: {update: {}}, orders: {read: {}}}",
                [
                    "3:29: unused-rule: roles.a cannot update rows of customers, because it does not see them; give it the permission read",
                    "3:29: unused-rule: roles.b cannot update rows of customers, because it does not see them; give it the permission read",
                ]
            ),
            (
                "{customers: {read: {}, create: none}}",
                [
                    "3:39: unused-rule: roles.a.customers: create: none has no effect, because the role does not include a permission; remove the entry"
                ]
            ),
            (
                "{'*': {read: {}, delete: {}}, customers: {delete: none}}",
                [
                    "3:33: unused-rule: roles.a: delete in the entry \"*\" has no effect, because no other resource that the role sees permits it; remove it"
                ]
            ),
            (
                "{customers: {read: {where: {state: {eq: open}}}, delete: {where: {state: {eq: closed}}}}}",
                [
                    "3:81: impossible-rule: roles.a: where of delete matches no visible row of customers; to permit no change, write delete: none"
                ]
            ),
            (
                "{customers: {read: {}, update: {where: {id: {eq: 1}, and: [{id: {in: [2, 3]}}]}}}}",
                [
                    "3:55: impossible-rule: roles.a: where of update matches no visible row of customers; to permit no change, write update: none"
                ]
            ),
            (
                "{customers: {read: {}, create: {set: {state: open}, check: {state: {eq: closed}}}}}",
                [
                    "3:75: impossible-rule: roles.a: no row of customers satisfies the rules after create, so each request is refused; correct check, set, or the condition of read"
                ]
            ),
            (
                "{customers: {read: {where: {state: {eq: open}}}, update: {set: {state: closed}}}}",
                [
                    "3:65: impossible-rule: roles.a: no row of customers satisfies the rules after update, so each request is refused; correct check, set, or the condition of read"
                ]
            ),
            (
                "{orders: {read: {except: [customerId]}, create: {except: [total]}}}",
                [
                    "3:56: impossible-rule: roles.a: create of orders cannot succeed, because new rows need values of customerId, total; add these fields to create or to its member set"
                ]
            ),
            ("{orders: {read: {}, create: {fields: [total], set: {customerId: {claim: customer}}}}}", []),
            (
                "{customers: {read: {except: [id]}, delete: {}}}",
                [
                    "3:51: unused-rule: roles.a: delete of customers has no effect, because the role does not see the key (id) by which a request names a row; give it the key"
                ]
            ),
            (
                "{orders: {read: {where: {customerId: {eq: {claim: user}}}}, update: {set: {note: {claim: user}}}}}",
                [
                    "3:90: impossible-rule: roles.a: the claim user is stored in orders.note (a text) and compared with orders.customerId (an int), but no value has both types"
                ]
            ),
        ] as [(String, [String])])
    func warnings(entries: String, expected: [String]) throws {
        #expect(try findings(entries) == expected)
    }

    // MARK: Databases

    private static let tables = """
        CREATE TABLE items (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(10) NOT NULL, label VARCHAR(10),
            twice INTEGER GENERATED ALWAYS AS (id * 2) STORED, kind VARCHAR(10) NOT NULL DEFAULT 'a',
            code VARCHAR(10) NOT NULL);
        CREATE TABLE logs (message VARCHAR(10) NOT NULL);
        CREATE VIEW names AS SELECT id, name FROM items;
        """

    private static let description = """
        duet: 1
        resources:
          items:
            singular: item
            type: Item
            key: [id]
            writes: all
            fields:
              id: {type: int}
              name: {type: text, maxLength: 10}
              label: {type: text, maxLength: 10, nullable: true}
              twice: {type: int, nullable: true, writable: false}
              kind: {type: text, maxLength: 10, absent: default}
              code: {type: text, maxLength: 10}
          logs:
            singular: log
            type: Log
            writes: create
            fields:
              message: {type: text, maxLength: 10}
          names:
            singular: name
            type: Name
            fields:
              id: {type: int, nullable: true}
              name: {type: text, maxLength: 10, nullable: true}

        """

    @Test("A description cannot permit writes of a table without transactions", arguments: TestBackend.available)
    func transactions(_ backend: TestBackend) async throws {
        let (table, reason) =
            backend == .sqlite
            ? (
                "CREATE VIRTUAL TABLE notes USING fts5(text)",
                "is a virtual table, whose rows only its module can write safely"
            )
            : (
                "CREATE TABLE notes (text VARCHAR(20) NOT NULL PRIMARY KEY) ENGINE = MyISAM",
                "has the storage engine MyISAM, which has no transactions"
            )
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { try $0.execute(table) }
            let schema = try await database.read { try DatabaseSchema.read($0) }
            let description = """
                duet: 1
                description: Notes.
                resources:
                  notes:
                    singular: note
                    type: Note
                    writes: create
                    fields:
                      text: {type: text, nullable: true}

                """
            let errors = try APIDescription(reading: description, file: "api.yaml").validate(against: schema)
                .filter { $0.severity == .error }.map(\.description)
            #expect(
                errors == ["api.yaml:7:13: error: notes: notes \(reason), so its rows cannot be written; remove writes"]
            )
        }
    }

    @Test("The changes that a description permits must be possible in the database", arguments: TestBackend.available)
    func schema(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { try $0.executeScript(Self.tables) }
            let schema = try await database.read { try DatabaseSchema.read($0) }
            func findings(_ changes: (String, String)..., roles: String = "") throws -> [String] {
                var text = Self.description + roles
                for (old, new) in changes {
                    #expect(text.contains(old))
                    text = text.replacing(old, with: new)
                }
                return try APIDescription(reading: text, file: "api.yaml").validate(against: schema)
                    .filter { $0.severity != .note }.map(\.description)
            }
            #expect(try findings() == [])
            #expect(
                try findings(("    type: Name\n", "    type: Name\n    writes: create\n")) == [
                    "api.yaml:24:13: error: names: names is a view, whose rows cannot be written; remove writes"
                ])
            #expect(
                try findings(("writes: create", "writes: all")) == [
                    "api.yaml:18:13: error: logs has no key, so no request can identify a row to update or delete; write writes: create"
                ])
            #expect(
                try findings(("    key: [id]\n", "")) == [
                    "api.yaml:6:13: error: items has no key, so no request can identify a row to update or delete; add the member key, or write writes: create"
                ])
            #expect(
                try findings(
                    ("name: {type: text, maxLength: 10}\n", "name: {type: text, maxLength: 10, absent: default}\n"),
                    ("label: {type: text,", "label: {absent: automatic, type: text,")
                ) == [
                    "api.yaml:10:7: error: items.name has absent: default, but items.name has no default, so a new row needs a value; remove absent, or declare a default",
                    "api.yaml:11:7: warning: items.label has absent: automatic, but items.label has no default, so it is null if a request omits it; remove absent, or declare a default",
                ])
            #expect(
                try findings((", writable: false", "")) == [
                    "api.yaml:12:7: error: items.twice cannot be written, because the database computes items.twice; add writable: false"
                ])
            #expect(
                try findings(("      code: {type: text, maxLength: 10}\n", "    hidden: [code]\n")) == [
                    "api.yaml:7:13: error: items: new rows of items need a value of code, for which there is no field; add a field, or remove create from writes"
                ])
            let hidden = ("code: {type: text,", "code: {writable: false, type: text,")
            #expect(
                try findings(hidden) == [
                    "api.yaml:14:7: error: items.code: new rows of items need a value of code, but the field is not writable; remove writable: false, or remove create from writes"
                ])
            let roles = "roles: {a: {resources: {items: {read: {}, create: {set: {code: {claim: code}}}, update: {}}}}}"
            #expect(try findings(hidden, roles: roles) == [])
            #expect(
                try findings(hidden, ("code: {claim", "label: {claim"), roles: roles) == [
                    "api.yaml:27:57: error: roles.a: new rows of items need a value of code, which the role does not set; add code to set of create"
                ])
            #expect(
                try findings(hidden, ("set: {code: {claim: code}}", "set: {code: x, twice: 4}"), roles: roles) == [
                    "api.yaml:27:57: error: roles.a: items.twice cannot be set, because the database computes items.twice"
                ])
        }
    }
}
