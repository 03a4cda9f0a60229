import DuetJSON
import DuetTokenReading

/// The function that libFuzzer calls with each input. The fuzzer reports traps, memory errors, excessive time or
/// memory, and violated invariants.
///
/// The input is a token, a payload, and a key set, each of which is read in its own way. Signatures are not verified:
/// libFuzzer cannot guess them, and the cryptographic library has fuzzers of its own.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: bytes, count: count))
    Promises.checkToken(bytes)
    Promises.checkClaims(bytes)
    Promises.checkKeys(bytes)
    return 0
}

/// The invariants for every input.
private enum Promises {
    private static let requirements = TokenRequirements(issuer: "i", audience: "a")
    private static let now: Int64 = 1_800_000_000

    static func checkToken(_ bytes: [UInt8]) {
        if let decoded = Base64URL.decode(bytes) {
            precondition(Array(Base64URL.encode(decoded).utf8) == bytes, "each sequence of bytes has one text")
        }
        do throws(TokenError) {
            let token = try CompactJWS(reading: bytes)
            precondition(bytes.count <= CompactJWS.maximumBytes, "a token has a limited length")
            let text = token.signedBytes + [UInt8(ascii: ".")] + Array(Base64URL.encode(token.signature).utf8)
            precondition(Array(text) == bytes, "a token has one text")
            precondition(bytes.count { $0 == UInt8(ascii: ".") } == 2, "a token has three parts")
            let header = token.signedBytes.prefix { $0 != UInt8(ascii: ".") }
            let members = try? JSONValue(parsing: Base64URL.decode(header) ?? [])
            precondition(members?["crit"] == nil, "a token has no critical extensions")
            precondition(
                members?["alg"] == .string(token.algorithm.rawValue) || members?["alg"] == "Ed25519",
                "a token has the algorithm of its header")
            checkClaims(token.payload)
        } catch {
            precondition(!error.description.isEmpty && error.code != .signature)
        }
    }

    static func checkClaims(_ bytes: [UInt8]) {
        do throws(TokenError) {
            let accepted = try requirements.accept(payload: bytes, at: now)
            precondition(accepted.expiresAt > now - requirements.leewaySeconds, "an expired token is refused")
            precondition(accepted.claims["iss"] == "i", "a token has the issuer")
            for member in ["exp", "iss", "aud"] {
                precondition(accepted.claims[member] != nil, "\(member) is required")
            }
        } catch {
            precondition(!error.description.isEmpty)
        }
    }

    static func checkKeys(_ bytes: [UInt8]) {
        do throws(KeySetError) {
            let list = try JSONWebKeyList(reading: bytes)
            precondition(list.keys.count + list.warnings.count > 0, "each key is used or has a warning")
            precondition(list.keys.count <= JSONWebKeyList.maximumCount)
            for warning in list.warnings {
                precondition(warning.utf8.count < 400, "a warning is short")
                precondition(warning.unicodeScalars.allSatisfy { $0.value >= 0x20 }, "a warning is printable")
            }
            for key in list.keys {
                precondition(!key.algorithms.isEmpty, "a key permits an algorithm")
                let ofSecrets = key.algorithms.intersection(SignatureAlgorithm.ofSecrets)
                precondition(ofSecrets.isEmpty != key.isSecret, "only secrets permit HMACs")
            }
        } catch {
            precondition(!error.description.isEmpty)
        }
    }
}
