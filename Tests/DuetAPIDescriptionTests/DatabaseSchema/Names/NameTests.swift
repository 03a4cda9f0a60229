import DuetAPIDescription
import Testing

@Suite("Names in an API")
struct NameTests {
    static let identifiers: [(String, String)] = [
        ("order_details", "orderDetails"), ("ListId", "listId"), ("OrderID", "orderId"), ("HTTPStatus", "httpStatus"),
        ("Order Details", "orderDetails"), ("CUSTOMER_NAME", "customerName"), ("customerName", "customerName"),
        ("id", "id"), ("ID", "id"), ("Id", "id"), ("_id", "id"), ("id_", "id"), ("__order__id__", "orderId"),
        ("userID", "userId"), ("userIDs", "userIds"), ("IDs", "ids"), ("URLs_seen", "urlsSeen"),
        ("getURLsFor", "getUrlsFor"),
        ("XMLHttpRequest", "xmlHttpRequest"), ("eMail", "eMail"), ("e-mail", "eMail"), ("mp3Player", "mp3Player"),
        ("MP3Player", "mp3Player"), ("ISO8601Date", "iso8601Date"), ("address2", "address2"), ("address_2", "address2"),
        ("line1Text", "line1Text"), ("utf8mb4", "utf8mb4"), ("A", "a"), ("AB", "ab"), ("aB", "aB"), ("A_B", "aB"),
        ("2fa_codes", "n2faCodes"), ("1", "n1"), ("100%", "n100"), ("% done", "done"), ("price ($)", "price"),
        ("Employee's Name", "employeesName"), ("Employee’s Name", "employeesName"), ("a.b", "aB"), ("a:b?c", "aBC"),
        ("straße", "strasse"), ("STRAẞE", "strasse"), ("größe", "grosse"), ("Über uns", "uberUns"),
        ("naïve_café", "naiveCafe"),
        ("cafe\u{301}", "cafe"), ("Ærø", "aero"), ("łódź", "lodz"), ("İstanbul", "istanbul"), ("ısı", "isi"),
        ("đường_phố", "duongPho"), ("ﬁeld", "field"), ("ＩＤ", "id"), ("m²", "m2"), ("имя", "imya"), ("Щука", "shchuka"),
        ("ЩУКА_ID", "shchukaId"), ("φίλος", "filos"), ("price_€", "price"), ("名前", "mingQian"), ("名前_id", "mingQianId"),
        ("カタカナ", "katakana"), ("한국", "hangug"),
        ("", "column3"),
        ("_", "column3"), ("%", "column3"), ("😀", "column3"), ("a😀b", "aB"), ("ตาราง", "tarang"),
        ("\u{13000}", "column3"), ("type", "type"),
    ]

    @Test("An SQL identifier is converted to camelCase", arguments: identifiers)
    func camelCase(_ name: String, _ result: String) {
        let camelCase = APIName.camelCase(name, fallback: "column3")
        #expect(camelCase == result)
        #expect(camelCase.wholeMatch(of: /[A-Za-z][A-Za-z0-9]*/) != nil)
    }
}
