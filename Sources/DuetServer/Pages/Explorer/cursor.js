import { itemType, namedType } from './schema.js';
import { tokenize } from './tokens.js';

/**
 * Returns the context of the cursor in an incomplete document: what can be inserted at the cursor, such as a field or a
 * value, and the facts that determine the possible names.
 *
 * @param {string} text
 * @param {number} offset the offset of the cursor
 * @param {Schema} schema
 * @returns {{place: string, prefix: string, start: number, end: number}} `start` and `end` are the bounds of the name
 *   at the cursor. `place` is the kind of text that can be inserted, such as `field`; `none` if there are no
 *   completions. Further members depend on `place`: `parent` (a type's name), `inputs` (arguments or input fields),
 *   `type` (a type reference), `location` (of a directive), `variables`, `sigil` (true if a completion of a variable
 *   includes its `$`).
 */
export function cursorContext(text, offset, schema) {
  const tokens = tokenize(text);
  const inside = tokens.find((token) => token.start < offset && (offset < token.end || (offset === token.end && !isPunctuator(token))));
  const nothing = { place: 'none', prefix: '', start: offset, end: offset };
  if (inside && inside.kind !== 'name') return nothing;
  const before = tokens.filter((token) => token.kind !== 'comment' && token.end <= offset && token !== inside);
  const scanner = new Scanner(schema);
  for (const token of before) scanner.read(token);
  const prefix = inside ? text.slice(inside.start, offset) : '';
  return { ...nothing, ...scanner.expected(), prefix, start: inside?.start ?? offset, end: inside?.end ?? offset };
}

/** Returns the fragments of an incomplete document: `{name, condition}`. */
export function fragmentsIn(text) {
  return [...text.matchAll(/\bfragment\s+([_A-Za-z]\w*)\s+on\s+([_A-Za-z]\w*)/g)].map(([, name, condition]) => ({ name, condition }));
}

function isPunctuator(token) {
  return token.kind === 'punctuator';
}

/**
 * Reads a document up to the cursor. A stack has an entry for each open bracket, with the known facts about its
 * content. Unlike the parser, the scanner continues after a syntax error.
 */
class Scanner {
  constructor(schema) {
    this.schema = schema;
    this.stack = [{ kind: 'document', next: null, definition: null }];
    this.previous = null;
    this.beforePrevious = null;
    /** The variables of the operation before the cursor: `{name, type}`. */
    this.variables = [];
  }

  get top() {
    return this.stack.at(-1);
  }

  read(token) {
    const close = { ')': ['arguments', 'variableDefinitions'], '}': ['selection', 'object'], ']': ['list'] }[isPunctuator(token) ? token.text : ''];
    if (close) this.close(close);
    else this[this.top.kind](token);
    this.beforePrevious = this.previous;
    this.previous = token;
  }

  close(kinds) {
    const index = this.stack.findLastIndex((entry) => kinds.includes(entry.kind));
    if (index > 0) this.stack.length = index;
    this.top.directive = null;
    if ('value' in this.top) this.top.value = false;
  }

  follows(text) {
    return this.previous?.text === text;
  }

  /**
   * Reads a part of a directive. Directives have the same syntax everywhere in a document. Returns true if the token is
   * a part of a directive.
   */
  directivePart(token) {
    if (this.follows('@') && token.kind === 'name') {
      this.top.directive = token.text;
      return true;
    }
    if (token.text === '(' && this.top.directive && this.follows(this.top.directive)) {
      this.openInputs('arguments', this.schema.directives.get(this.top.directive)?.args);
      return true;
    }
    return token.text === '@';
  }

  /** @param {boolean} isOneOf true for an input object with exactly one member */
  openInputs(kind, inputs, isOneOf = false) {
    this.stack.push({ kind, inputs: inputs ?? [], isOneOf, given: [], input: null, value: false });
  }

  openSelection(parent) {
    this.stack.push({ kind: 'selection', parent, next: parent, field: null });
  }

  document(token) {
    const { top } = this;
    if (this.directivePart(token)) return;
    if (token.text === '{') {
      this.openSelection(top.definition ? top.next : this.schema.roots.query);
      top.definition = null;
    } else if (token.text === '(') {
      this.stack.push({ kind: 'variableDefinitions', name: null, type: null, value: false });
    } else if (token.kind === 'name') {
      if (top.definition === 'fragment') {
        if (this.follows('on')) top.next = token.text;
      } else if (!top.definition) {
        top.definition = token.text;
        top.next = this.schema.roots[token.text] ?? null;
        this.variables = [];
      }
    }
  }

  selection(token) {
    const { top } = this;
    if (this.directivePart(token)) return;
    if (token.text === '{') {
      this.openSelection(top.next);
      top.next = top.parent;
    } else if (token.text === '(') {
      this.openInputs('arguments', top.field?.args);
    } else if (token.text === '...') {
      top.field = null;
      top.next = top.parent;
    } else if (token.kind === 'name') {
      if (this.follows('on') && this.beforePrevious?.text === '...') {
        top.next = token.text;
      } else if (!this.follows('...')) {
        top.field = top.parent ? this.schema.field(top.parent, token.text) : null;
        top.next = top.field ? namedType(top.field.type) : null;
      }
      top.directive = null;
    }
  }

  /** Reads a part of arguments or of an input object. Both consist of names, colons and values. */
  arguments(token) {
    const { top } = this;
    if (token.text === ':') {
      top.value = true;
    } else if (top.value) {
      this.value(token, top.input?.type ?? null);
      if (token.text !== '$') top.value = false;
    } else if (token.kind === 'name') {
      top.input = top.inputs.find((input) => input.name === token.text) ?? null;
      top.given.push(token.text);
    }
  }

  object(token) {
    this.arguments(token);
  }

  list(token) {
    this.value(token, this.top.type);
  }

  value(token, type) {
    if (token.text === '[' && isPunctuator(token)) {
      this.stack.push({ kind: 'list', type: type && itemType(type) });
    } else if (token.text === '{' && isPunctuator(token)) {
      const named = type && this.schema.type(namedType(type));
      this.openInputs('object', named?.inputFields, named?.isOneOf === true);
    }
  }

  variableDefinitions(token) {
    const { top } = this;
    if (this.directivePart(token)) return;
    if (token.text === '$') {
      Object.assign(top, { name: null, type: null, value: false });
    } else if (token.text === '=') {
      top.value = true;
    } else if (top.value) {
      this.value(token, top.type && { kind: 'NAMED', name: top.type, ofType: null });
      top.value = false;
    } else if (token.kind === 'name') {
      if (this.follows('$')) {
        top.name = token.text;
      } else if (top.name) {
        top.type = token.text;
        this.variables.push({ name: top.name, type: token.text });
      }
    }
  }

  /** Returns `place` and its further members; see `cursorContext`. */
  expected() {
    const { top } = this;
    if (this.follows('@')) return { place: 'directive', location: this.directiveLocation() };
    switch (top.kind) {
      case 'document':
        if (top.definition === 'fragment') return this.follows('on') ? { place: 'compositeType', parent: null } : { place: 'none' };
        return { place: top.definition ? 'none' : 'definition' };
      case 'selection':
        if (this.follows('...')) return { place: 'spread', parent: top.parent };
        if (this.follows('on') && this.beforePrevious?.text === '...') return { place: 'compositeType', parent: top.parent };
        return { place: 'field', parent: top.parent };
      case 'variableDefinitions':
        if (top.value) return this.expectedValue(top.type && { kind: 'NAMED', name: top.type, ofType: null }, false);
        if (this.follows('$') || !top.name) return { place: 'none' };
        return { place: this.follows(':') || this.follows('[') ? 'inputType' : 'none' };
      case 'list':
        return this.expectedValue(top.type, true);
      default:
        if (top.value) return this.expectedValue(top.input?.type ?? null, true);
        if (top.isOneOf && top.given.length > 0) return { place: 'none' };
        return { place: 'input', inputs: top.inputs.filter((input) => !top.given.includes(input.name)) };
    }
  }

  expectedValue(type, takesVariables) {
    if (this.follows('$')) return { place: 'variable', type, variables: this.variables, sigil: false };
    return { place: 'value', type, variables: takesVariables ? this.variables : [], sigil: true };
  }

  directiveLocation() {
    const { top } = this;
    if (top.kind === 'variableDefinitions') return 'VARIABLE_DEFINITION';
    if (top.kind === 'document') return top.definition === 'fragment' ? 'FRAGMENT_DEFINITION' : (top.definition ?? 'query').toUpperCase();
    if (top.field) return 'FIELD';
    return top.next === top.parent ? 'FRAGMENT_SPREAD' : 'INLINE_FRAGMENT';
  }
}
