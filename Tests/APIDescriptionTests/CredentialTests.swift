import APIDescription
import DatabaseSchema
import ResourceService
import SQLDatabase
import Testing

@Suite("Introspection") struct CredentialTests {
    @Test(
        "hides columns that look like credentials, by the words of their names",
        arguments: [
            ("password_hash", true), ("ApiKey", true), ("reset_token", true), ("user_pass", true), ("pw", true),
            ("session_key", true), ("recovery_codes", true), ("otp_code", true), ("jwt", true), ("PIN", true),
            ("tot_price", false), ("secretary_id", false), ("token_count", false), ("tokenizer", false),
            ("passage", false),
            ("hash_tag", false), ("key", false),
        ])
    func credentials(name: String, isHidden: Bool) throws {
        let columns = [
            TableColumn(
                name: "id", declaredType: "INT", type: .integer(bits: 32, isUnsigned: false), isNullable: false),
            TableColumn(name: name, declaredType: "TEXT", type: .text(maximumLength: nil)),
        ]
        let table = Table(name: "things", columns: columns, primaryKey: ["id"])
        let api = try IntrospectedDescription(of: DatabaseSchema(dialect: .sqlite, tables: [table])).api
        #expect(api.catalogue["things"]?.hiddenColumns == (isHidden ? [name] : []))
    }

    @Test("A column is not hidden and shown at once")
    func contradiction() {
        let text = """
            duet: 1
            resources:
              items:
                singular: item
                type: Item
                fields:
                  secret: {type: text}
                hidden: [secret]
            """
        let error = #expect(throws: DescriptionError.self) { _ = try APIDescription(reading: text, file: "api.yaml") }
        #expect(
            error?.description.contains("api.yaml:8:13: items: the column secret is hidden") == true,
            "\(String(describing: error))")
    }
}
