/** Calls `visit` with a node of a parsed document and with all nodes below it, in preorder. */
export function walk(node, visit) {
  if (Array.isArray(node)) {
    for (const item of node) walk(item, visit);
  } else if (node && typeof node === 'object') {
    if (node.kind) visit(node);
    for (const [key, child] of Object.entries(node)) {
      if (key !== 'kind' && child && typeof child === 'object') walk(child, visit);
    }
  }
}

/** Returns the operations of a parsed document. */
export function operations(document) {
  return document.definitions.filter((definition) => definition.kind === 'operation');
}

/**
 * Returns the operation at an offset. If there is none, returns the previous operation or, without one, the first
 * operation.
 */
export function operationAt(document, offset) {
  const all = operations(document);
  return all.find((one) => offset >= one.start && offset <= one.end) ?? all.findLast((one) => one.end <= offset) ?? all[0] ?? null;
}

/** Returns true if a response to the document may have several parts. */
export function asksForParts(document) {
  let asks = false;
  walk(document, (node) => {
    if (node.kind === 'directive' && (node.name.text === 'defer' || node.name.text === 'stream')) asks = true;
  });
  return asks;
}
