import { byId, element } from './element.js';
import { namedType, typeText } from './schema.js';

const KINDS = {
  OBJECT: 'type', INTERFACE: 'interface', UNION: 'union', ENUM: 'enum', INPUT_OBJECT: 'input', SCALAR: 'scalar',
};

/** The maximum number of listed search results. */
const LONGEST_LIST = 60;

/**
 * The documentation of the schema. It shows one type at a time, with a button to the previous type, and a search for
 * names.
 */
export class Docs {
  constructor() {
    this.schema = null;
    /** The visited types. The last type is shown. An empty path shows the overview. */
    this.path = [];
    this.page = byId('docs-page');
    this.search = byId('docs-search');
    this.search.addEventListener('input', () => this.draw());
    this.search.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && this.search.value !== '') {
        this.search.value = '';
        this.draw();
      }
    });
  }

  show(schema) {
    this.schema = schema;
    this.search.disabled = false;
    this.draw();
  }

  /** Shows the reason for missing documentation. */
  unavailable(reason) {
    this.search.disabled = true;
    this.page.replaceChildren(element('p', {}, reason));
  }

  open(typeName) {
    this.path.push(typeName);
    this.search.value = '';
    this.draw({ isMove: true });
  }

  back() {
    this.path.pop();
    this.draw({ isMove: true });
  }

  draw({ isMove = false } = {}) {
    const sought = this.search.value.trim();
    const current = this.path.at(-1);
    const content = sought !== '' ? this.results(sought) : current ? this.type(current) : this.overview();
    this.page.replaceChildren(...content);
    if (!isMove) return;
    this.page.scrollTop = 0;
    // Users of the keyboard continue at the beginning of the new page.
    this.page.querySelector('h3').focus({ preventScroll: true });
  }

  heading(...content) {
    return element('h3', { tabindex: '-1' }, ...content);
  }

  overview() {
    const { schema } = this;
    const roots = Object.entries(schema.roots).filter(([, name]) => name);
    const kinds = Object.keys(KINDS);
    const others = [...schema.types.values()]
      .filter(({ name }) => !name.startsWith('__') && !Object.values(schema.roots).includes(name))
      .sort((first, second) => kinds.indexOf(first.kind) - kinds.indexOf(second.kind));
    return [
      this.heading('Schema'),
      ...description(schema.description),
      element('h4', {}, 'Operations'),
      element('ul', {}, ...roots.map(([operation, name]) => element('li', {}, `${operation}: `, this.link(name)))),
      element('h4', {}, 'Types'),
      element('ul', {}, ...others.map((type) => this.typeItem(type))),
    ];
  }

  typeItem({ name, kind, description: text }) {
    return element(
      'li', {}, this.link(name), element('span', { class: 'kind' }, ` ${KINDS[kind]}`), ...description(text),
    );
  }

  results(sought) {
    const pattern = sought.toLowerCase();
    const found = [];
    for (const type of this.schema.types.values()) {
      if (type.name.startsWith('__')) continue;
      if (type.name.toLowerCase().includes(pattern)) found.push(this.typeItem(type));
      for (const member of [...(type.fields ?? []), ...(type.inputFields ?? []), ...(type.enumValues ?? [])]) {
        if (!member.name.toLowerCase().includes(pattern)) continue;
        found.push(element('li', {}, this.link(type.name, `${type.name}.${member.name}`), ...description(member.description)));
      }
    }
    const count = found.length === 1 ? '1 result' : `${found.length} results`;
    return [
      this.heading(found.length > LONGEST_LIST ? `${count}, the first ${LONGEST_LIST}` : count),
      element('ul', {}, ...found.slice(0, LONGEST_LIST)),
    ];
  }

  type(name) {
    const type = this.schema.type(name);
    const before = this.path.at(-2);
    const back = element('button', { type: 'button', class: 'back', on: { click: () => this.back() } }, `‹ ${before ?? 'Schema'}`);
    return [
      back,
      this.heading(element('span', { class: 'kind' }, `${KINDS[type.kind]} `), type.name),
      ...description(type.description),
      ...this.typeNames('Implements', type.interfaces),
      ...this.typeNames('One of', type.kind === 'OBJECT' ? [] : type.possibleTypes),
      ...this.members('Fields', type.fields, (field) => this.field(field)),
      ...this.members(type.isOneOf ? 'Exactly one of these fields' : 'Fields', type.inputFields, (field) => this.input(field)),
      ...this.members('Values', type.enumValues, (value) => [
        element('code', { class: 'token-constant' }, value.name), ...description(value.description), ...deprecation(value),
      ]),
    ];
  }

  typeNames(title, types) {
    if (!types?.length) return [];
    return [element('h4', {}, title), element('ul', {}, ...types.map(({ name }) => element('li', {}, this.link(name))))];
  }

  members(title, items, content) {
    if (!items?.length) return [];
    return [element('h4', {}, title), element('ul', { class: 'members' }, ...items.map((item) => element('li', {}, ...content(item))))];
  }

  field(field) {
    const signature = element(
      'code', {}, element('span', { class: 'token-field' }, field.name), field.args.length > 0 ? '(…): ' : ': ', this.reference(field.type),
    );
    const parameters = field.args.length > 0 ? [element('ul', { class: 'arguments' }, ...field.args.map((one) => element('li', {}, ...this.input(one))))] : [];
    return [signature, ...description(field.description), ...deprecation(field), ...parameters];
  }

  /** Returns elements for an argument or for a field of an input object. */
  input(input) {
    const preset = input.defaultValue === null ? [] : [' = ', element('span', { class: 'token-constant' }, input.defaultValue)];
    return [
      element('code', {}, element('span', { class: 'token-argument' }, input.name), ': ', this.reference(input.type), ...preset),
      ...description(input.description),
    ];
  }

  /** Returns an element for a type reference. The name in the reference is a link to the type. */
  reference(type) {
    const [before, after] = typeText(type).split(namedType(type));
    return element('span', {}, before, this.link(namedType(type)), after);
  }

  link(typeName, text = typeName) {
    return element('button', { type: 'button', class: 'type-link', on: { click: () => this.open(typeName) } }, text);
  }
}

/** Returns elements for a description. Text in backquotes is code. */
function description(text) {
  if (!text) return [];
  const parts = text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? element('code', {}, part) : part));
  return [element('p', {}, ...parts)];
}

function deprecation({ isDeprecated, deprecationReason }) {
  return isDeprecated ? [element('p', { class: 'deprecation' }, `Deprecated: ${deprecationReason ?? 'do not use it.'}`)] : [];
}
