import DuetAPIDescription
import Testing

@Suite("Differences of writes")
struct WriteDifferenceTests {
    private static let roles = """
        roles:
          clerk:
            resources:
              customers:
                read: {}
                create: {fields: [name, state], set: {createdBy: {claim: sub}}}
                update: {where: {state: {eq: open}}, check: {name: {ne: nobody}, id: {gt: 0}}}
              orders: {read: {}, create: {}, update: {fields: [note]}}

        """

    private static func differences(_ old: String, _ new: String, back: Bool, roles: String) throws -> [String] {
        let text = WriteShop.resources + roles
        let changed = text.replacing(old, with: new)
        #expect(changed != text, "\(old)")
        let descriptions = try [text, changed].map { try APIDescription(reading: $0, file: "api.yaml") }
        let (before, after) = back ? (descriptions[1], descriptions[0]) : (descriptions[0], descriptions[1])
        return after.differences(from: before).map(\.description)
    }

    @Test(
        "A removed change, a new required value and a field that is no longer writable are breaking",
        arguments: [
            (
                "writes: [create, update]", "writes: all",
                ["orders: clients can delete rows"], ["orders: breaking: clients can no longer delete rows"]
            ),
            (
                "    writes: [create, update]\n", "",
                [
                    "orders: breaking: clients can no longer create rows",
                    "orders: breaking: clients can no longer update rows",
                ], ["orders: clients can create rows", "orders: clients can update rows"]
            ),
            (
                "      note: {type: text, nullable: true}\n",
                "      note: {type: text, nullable: true}\n      day: {type: date}\n",
                [
                    "orders: breaking: new rows need a value of the field day", "orders: the field day was added",
                ], ["orders: breaking: the field day was removed"]
            ),
            (
                "      id: {type: int, absent: automatic}\n      name", "      id: {type: int}\n      name",
                ["customers: breaking: new rows need a value of the field id"],
                ["customers: new rows no longer need a value of the field id"]
            ),
            (
                "note: {type: text,", "note: {writable: false, type: text,",
                [
                    "orders: breaking: the field note can no longer be set in new rows",
                    "orders: breaking: the field note can no longer be set in existing rows",
                ],
                [
                    "orders: the field note can be set in new rows",
                    "orders: the field note can be set in existing rows",
                ]
            ),
        ] as [(String, String, [String], [String])])
    func descriptions(old: String, new: String, forward: [String], back: [String]) throws {
        #expect(try Self.differences(old, new, back: false, roles: "") == forward)
        #expect(try Self.differences(old, new, back: true, roles: "") == back)
    }

    @Test(
        "A permission to make changes is compared as a permission to read",
        arguments: [
            (
                "create: {}, ", "",
                ["orders: breaking: less access: the role clerk can no longer create rows"],
                ["orders: more access: the role clerk can create rows"]
            ),
            (
                "fields: [name, state],", "fields: [name],",
                ["customers: breaking: less access: the role clerk can no longer set the field state in new rows"],
                ["customers: more access: the role clerk can also set the field state in new rows"]
            ),
            (
                "{claim: sub}", "{claim: email}",
                ["customers: breaking: changed access: the server sets other values in new rows of the role clerk"],
                ["customers: breaking: changed access: the server sets other values in new rows of the role clerk"]
            ),
            (
                "update: {fields: [note]}", "update: {fields: [note], set: {total: 0}}",
                [
                    "orders: breaking: changed access: the server sets other values in existing rows of the role clerk"
                ],
                [
                    "orders: breaking: changed access: the server sets other values in existing rows of the role clerk"
                ]
            ),
            (
                "where: {state: {eq: open}}, ", "",
                ["customers: more access: the role clerk can update more rows, because its condition requires less"],
                [
                    "customers: breaking: less access: the role clerk can update fewer rows, because its condition requires more"
                ]
            ),
            (
                ", id: {gt: 0}", "",
                ["customers: more access: the role clerk can update more rows, because its check requires less"],
                [
                    "customers: breaking: less access: the role clerk can update fewer rows, because its check requires more"
                ]
            ),
            (
                "{ne: nobody}", "{ne: none}",
                [
                    "customers: breaking: changed access: the role clerk can update other rows, because its check is different"
                ],
                [
                    "customers: breaking: changed access: the role clerk can update other rows, because its check is different"
                ]
            ),
            (
                "      orders: {read: {}, create", "      orders: {read: none, create",
                [
                    "orders: breaking: less access: the role clerk no longer sees the resource",
                    "orders: breaking: less access: the role clerk can no longer create rows",
                    "orders: breaking: less access: the role clerk can no longer update rows",
                ],
                [
                    "orders: more access: the role clerk sees the resource",
                    "orders: more access: the role clerk can create rows",
                    "orders: more access: the role clerk can update rows",
                ]
            ),
        ] as [(String, String, [String], [String])])
    func roles(old: String, new: String, forward: [String], back: [String]) throws {
        #expect(try Self.differences(old, new, back: false, roles: Self.roles) == forward)
        #expect(try Self.differences(old, new, back: true, roles: Self.roles) == back)
    }
}
