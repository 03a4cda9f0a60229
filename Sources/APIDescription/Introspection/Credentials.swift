import DatabaseSchema

/// Columns that look like credentials, which a description hides until its owner shows them.
enum Credentials {
    /// Words in the name of a column, after its words have been put together in lower case.
    private static let words = [
        "password", "passwd", "passphrase", "passcode", "secret", "credential", "privatekey", "apikey", "accesskey",
        "authkey", "encryptionkey", "token", "otpkey", "totp", "pincode",
    ]
    /// Whole names.
    private static let names: Set<String> = ["pwd", "pass", "salt", "hash", "pin", "otp", "cvv", "cvc"]
    /// Words that hash or salt a credential rather than content.
    private static let hashed = ["pwdhash", "passhash", "hashedpw", "pwhash", "userhash", "loginhash", "pwdsalt"]

    /// Returns true for a name such as `password_hash`, `ApiKey` or `reset_token`.
    static func isLikely(_ column: String) -> Bool {
        let name = APIName.camelCase(column, fallback: "").lowercased()
        return names.contains(name) || (words + hashed).contains { name.contains($0) }
    }
}
