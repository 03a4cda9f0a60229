/** Cuts a `multipart/mixed` body (RFC 2046, section 5.1) into its parts as it comes. */
export class MultipartReader {
  /** @param {string} mediaType with its `boundary` */
  constructor(mediaType) {
    const boundary = mediaType.match(/boundary=(?:"([^"]*)"|([^\s;]+))/i);
    this.delimiter = `\r\n--${boundary?.[1] ?? boundary?.[2] ?? '-'}`;
    // The first delimiter needs no line in front of it.
    this.rest = '\r\n';
    this.isInPart = false;
  }

  /** The bodies of the parts that are complete with this piece of text: those that have a delimiter behind them. */
  push(text) {
    this.rest += text;
    const bodies = [];
    for (;;) {
      const at = this.rest.indexOf(this.delimiter);
      if (at < 0) return bodies;
      // What is in front of the first delimiter is no part, and neither is what follows the last.
      if (this.isInPart) bodies.push(this.body(this.rest.slice(0, at)));
      this.isInPart = true;
      this.rest = this.rest.slice(at + this.delimiter.length);
    }
  }

  /** A part without its header fields, which end with an empty line. */
  body(part) {
    const end = part.indexOf('\r\n\r\n');
    return end < 0 ? part : part.slice(end + 4);
  }
}
