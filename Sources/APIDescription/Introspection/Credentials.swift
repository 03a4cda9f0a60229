import DatabaseSchema

/// Columns that look like credentials, which a description hides until its owner shows them.
enum Credentials {
    /// Words that mean a credential wherever they are in a name.
    private static let words: Set<String> = [
        "password", "passwords", "passwd", "passphrase", "passcode", "pwd", "pw", "secret", "secrets", "credential",
        "credentials", "totp", "jwt", "bearer", "cvv", "cvc", "apikey", "privatekey", "userpass", "hashedpw",
    ]
    /// Words that mean a credential at the end of a name, as in `reset_token` and not in `token_count`.
    private static let lastWords: Set<String> = ["pass", "token", "tokens", "otp", "salt"]
    /// Whole names.
    private static let names: Set<String> = ["hash", "pin", "pincode", "pass", "otp", "salt"]
    /// Two words that mean a credential together.
    private static let pairs: Set<String> = [
        "private key", "api key", "access key", "auth key", "encryption key", "session key", "activation key",
        "recovery code", "recovery codes", "backup codes", "otp code", "otp key", "pin code", "token hash", "pass hash",
        "signing key", "secret key",
    ]

    /// Returns true for a name such as `password_hash`, `ApiKey` or `reset_token`.
    static func isLikely(_ column: String) -> Bool {
        let parts = words(of: APIName.camelCase(column, fallback: ""))
        guard let last = parts.last else { return false }
        return parts.contains(where: words.contains) || lastWords.contains(last)
            || (parts.count == 1 && names.contains(last))
            || zip(parts, parts.dropFirst()).contains { pairs.contains("\($0) \($1)") }
    }

    /// The words of a name in camelCase, in lower case.
    private static func words(of name: String) -> [String] {
        var words: [String] = []
        for character in name {
            if character.isUppercase || words.isEmpty { words.append("") }
            words[words.count - 1] += character.lowercased()
        }
        return words
    }
}
