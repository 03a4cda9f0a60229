/// Detects columns that look like credentials. A description hides them until its author exposes them.
enum Credentials {
    /// Words that indicate a credential anywhere in a name.
    private static let words: Set<String> = [
        "password", "passwords", "passwd", "passphrase", "passcode", "pwd", "pw", "secret", "secrets", "credential",
        "credentials", "totp", "jwt", "bearer", "cvv", "cvc", "userpass",
    ]
    /// Words that indicate a credential at the end of a name, as in `reset_token` but not in `token_count`. Words of
    /// ``forms`` may follow.
    private static let lastWords: Set<String> = ["pass", "token", "tokens", "otp", "salt"]
    /// Words for the form of a credential, as in `token_hash`.
    private static let forms: Set<String> = [
        "hash", "hashed", "digest", "encrypted", "enc", "crypt", "cipher", "ciphertext", "value", "plain", "plaintext",
        "raw", "text", "string", "hex", "base", "sha", "md", "hmac", "bcrypt", "argon", "scrypt", "salt", "old", "new",
        "current", "previous",
    ]
    /// Words before `tokens` in the names of numeric columns, as in `total_tokens`.
    private static let countWords: Set<String> = [
        "max", "min", "total", "num", "number", "count", "prompt", "completion", "input", "output", "cached", "used",
    ]
    /// Words before a credential in the names of Boolean columns, as in `has_password`.
    private static let flagWords: Set<String> = [
        "is", "has", "had", "was", "can", "must", "should", "needs", "requires", "uses", "allows", "show", "shows",
    ]
    /// Complete names that indicate a credential.
    private static let names: Set<String> = ["hash", "pin", "pincode", "pass", "otp", "salt"]
    /// Pairs of words that indicate a credential.
    private static let pairs: Set<String> = [
        "private key", "api key", "access key", "auth key", "encryption key", "session key", "activation key",
        "recovery code", "recovery codes", "backup code", "backup codes", "otp code", "otp key", "pin code",
        "pass hash", "pin hash", "signing key", "secret key", "master key", "private keys", "api keys", "access keys",
        "auth keys", "ssh key", "ssh keys", "pgp key", "pgp keys", "gpg key", "gpg keys", "mfa seed", "reset code",
        "reset codes",
        "activation code", "activation codes", "verification code", "verification codes", "security answer",
        "security answers", "oauth refresh",
        "encryption keys", "session keys", "signing keys",
    ]
    /// Parts of words that indicate a credential, as in `smtppassword`.
    private static let parts = [
        "password", "passwd", "passphrase", "passcode", "credential", "apikey", "privatekey", "secretkey", "accesskey",
        "pswd",
        "passwort", "kennwort", "privkey", "sessid",
    ]
    /// Components of compound words such as `accesstoken` or `pwhash`.
    private static let components: [String] =
        [
            "user", "admin", "client", "app", "access", "auth", "refresh", "reset", "session", "csrf", "xsrf", "id",
            "api",
            "private", "secret", "signing", "encryption", "master", "key", "keys", "token", "tokens", "pass", "pw",
            "pwd",
            "otp", "pin", "code", "codes", "recovery", "backup", "activation", "verification", "bearer", "jwt", "totp",
        ] + forms

    /// Returns true for a name such as `password_hash`, `ApiKey`, `reset_token` or `accesstoken`.
    static func isLikely(_ column: String) -> Bool {
        let whole = words(of: APIName.camelCase(column, fallback: ""))
        guard let first = whole.first, !(whole.count > 1 && flagWords.contains(first)) else { return false }
        // Most words are shorter than each of the parts, and a search in a text is expensive.
        let isPart = { (part: String, word: String) in part.utf8.count <= word.utf8.count && word.contains(part) }
        if whole.contains(where: { word in parts.contains { isPart($0, word) } }) { return true }
        let words = whole.flatMap(split)
        if (whole + words).contains(where: self.words.contains) { return true }
        if whole.count == 1, names.contains(first) { return true }
        if zip(words, words.dropFirst()).contains(where: { pairs.contains("\($0) \($1)") }) { return true }
        return endsInCredential(words)
    }

    /// Returns true if the name contains a word of ``lastWords``, and only words of ``forms`` follow it, as in
    /// `access_token_encrypted`. A number of tokens, as in `total_tokens`, is not a credential.
    private static func endsInCredential(_ words: [String]) -> Bool {
        guard let position = words.lastIndex(where: lastWords.contains) else { return false }
        let isCount = words[position] == "tokens" && position > 0 && countWords.contains(words[position - 1])
        return !isCount && words[(position + 1)...].allSatisfy(forms.contains)
    }

    /// Returns the words of a name in camelCase, in lower case and without digits.
    private static func words(of name: String) -> [String] {
        var words: [String] = []
        for character in name where !character.isNumber {
            if character.isUppercase || words.isEmpty { words.append("") }
            words[words.count - 1] += character.lowercased()
        }
        return words
    }

    /// Splits a compound word, such as `accesstoken`, into its components. Returns any other word unchanged.
    private static func split(_ word: String) -> [String] {
        if let parts = components(of: word[...]) { return parts }
        // These endings are recognized even if the first part of the word is unknown, as in `slacktoken`.
        for ending in ["token", "tokens", "secret", "secrets", "pwd"] where word.hasSuffix(ending) {
            return [String(word.dropLast(ending.count)), ending]
        }
        return [word]
    }

    /// Splits a text into elements of ``components``. Returns nil if the text contains anything else.
    private static func components(of text: Substring) -> [String]? {
        if text.isEmpty { return [] }
        for component in components where text.hasPrefix(component) {
            if let rest = components(of: text.dropFirst(component.count)) { return [component] + rest }
        }
        return nil
    }
}
