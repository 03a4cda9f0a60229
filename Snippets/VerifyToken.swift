// The verification of a JSON Web Token with the public key of its issuer.
import DuetTokens

let keySet = """
    {"keys": [{
      "kty": "EC", "crv": "P-256", "kid": "2026", "x": "r8ooyIEIO9kaK_b0dRoIx59w59A_9aTa6f486wpmwS0",
      "y": "al3wtd4BINXQlHjIvhLWm_fpHUTtMRu6tHtahM2gVsU"
    }]}
    """
let bearer = """
    eyJhbGciOiJFUzI1NiIsImtpZCI6IjIwMjYifQ.\
    eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQiOiJodHRwczovL2FwaS5leGFtcGxlIiwic3ViIjoiYWRhIiwiZXhwIjo0MTAyNDQ0ODAwfQ.\
    J-uRkovQUd3illCQOYTjSAmlLgVKrZpQm-jHbCiV1tutM6aihX83e3bb3TfrRGxCSo8Ro8So7_nr2DTShdGR6g
    """

let keys = try JSONWebKeySet(reading: Array(keySet.utf8))
let verifier = TokenVerifier(TokenRequirements(issuer: "https://id.example", audience: "https://api.example"))
let token = try verifier.verify(bearer, with: keys, at: 1_800_000_000)
print(token.claims["sub"] ?? "no subject")
// Prints: string("ada")

do {
    _ = try verifier.verify(bearer, with: keys, at: 4_200_000_000)
} catch {
    print(error.code, error)
    // Prints: expired the token has expired
}
