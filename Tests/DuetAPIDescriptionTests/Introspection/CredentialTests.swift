import DuetAPIDescription
import DuetResourceService
import DuetSQLDatabase
import Testing

@Suite("Columns with credentials") struct CredentialTests {
    @Test(
        "An introspected description hides columns whose names look like credentials",
        arguments: [
            ("password_hash", true), ("ApiKey", true), ("reset_token", true), ("user_pass", true), ("pw", true),
            ("session_key", true), ("recovery_codes", true), ("otp_code", true), ("jwt", true), ("PIN", true),
            ("tot_price", false), ("secretary_id", false), ("token_count", false), ("tokenizer", false),
            ("passage", false),
            ("hash_tag", false), ("key", false),
            // Words without separators.
            ("passwordhash", true), ("userpassword", true), ("smtppassword", true), ("accesstoken", true),
            ("authtoken", true), ("slacktoken", true), ("secretkey", true), ("clientsecret", true), ("apikeys", true),
            ("pwhash", true), ("tokenhash", true), ("userpwd", true), ("hashedpw", true),
            ("passcode", true), ("pincode", true), ("pinhash", true),
            // Hashed, encrypted or plural credentials, and names with a number.
            ("reset_token_digest", true), ("access_token_encrypted", true), ("token_value", true), ("api_keys", true),
            ("token2", true), ("token_2_hash", true), ("password1", true), ("otp_secret", true),
            ("access_tokens", true),
            // Other languages, abbreviations, keys of programs, session identifiers, and codes that replace a password.
            ("pswd", true), ("passwort", true), ("Kennwort", true), ("privkey", true), ("ssh_key", true),
            ("pgp_key", true),
            ("ssh_private_key", true), ("phpsessid", true), ("sessid", true), ("mfa_seed", true), ("reset_code", true),
            ("activation_code", true), ("verification_code", true), ("verificationcode", true),
            ("security_answer", true),
            ("oauth_refresh", true), ("session_id", false), ("license_key", false), ("answer", false), ("seed", false),
            ("code", false), ("country_code", false), ("seed_count", false), ("refresh_rate", false),
            ("session", false),
            // Numbers, types and times of tokens.
            ("tokens_used", false), ("total_tokens", false), ("prompt_tokens", false), ("token_type", false),
            ("token_expires_at", false), ("token_id", false),
            // Boolean values about credentials.
            ("is_secret", false), ("has_password", false), ("must_reset_password", false), ("uses_otp", false),
            // Other words with the same letters.
            ("secretary", false), ("secretariat", false), ("passport_number", false), ("compass", false),
            ("passenger", false), ("bypass_count", false), ("hashtag", false), ("pinned", false), ("saltiness", false),
            ("keyboard", false), ("appendix", false), ("idiom", false),
        ])
    func credentials(name: String, isHidden: Bool) throws {
        let columns = [
            TableColumn(
                name: "id", declaredType: "INT", type: .integer(bits: 32, isUnsigned: false), isNullable: false),
            TableColumn(name: name, declaredType: "TEXT", type: .text(maximumLength: nil)),
        ]
        let table = SchemaTable(name: "things", columns: columns, primaryKey: ["id"])
        let api = try IntrospectedDescription(of: DatabaseSchema(.sqlite, [table])).api
        #expect(api.catalogue["things"]?.hiddenColumns == (isHidden ? [name] : []))
    }

    @Test("A column that is both a field and hidden is an error")
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
