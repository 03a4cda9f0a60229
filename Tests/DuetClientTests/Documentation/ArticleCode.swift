/// The code blocks of the articles in `DuetClient.docc`, so that the compiler checks them. The code of an article is in
/// the file with the name of the article, and imports only what the article names. A test checks both. The
/// command `make check-libraries` compiles the code in a package with only the products and traits of the article.
enum ArticleCode {}
