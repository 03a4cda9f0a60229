import { byId, element } from '../explorer/element.js';
import { onlyReads } from './repetition.js';
import { PREFERENCE, undone } from './undone.js';

/** The note below requests that write. */
const NOTE = `The server undoes both changes: the requests have the preference ${PREFERENCE}. To store a change, choose it after “Keep”.`;

/**
 * The trial of writes. The page loads this module only if the API permits writes that the server can undo. The server
 * then undoes the changes of both sides, unless the user keeps the change of one side.
 */
export class WriteTrial {
  /** @param {function()} changed called when the user chooses the kept side */
  constructor(changed) {
    this.choice = element(
      'select', { id: 'keep', on: { change: changed } },
      element('option', { value: '' }, 'nothing'),
      element('option', { value: 'rest' }, 'REST’s change'),
      element('option', { value: 'graphql' }, 'GraphQL’s change'),
    );
    this.label = element('label', { id: 'keep-label', hidden: true }, 'Keep: ', this.choice);
    byId('revalidate').closest('label').after(this.label);
  }

  /**
   * Shows the choice if the texts write.
   *
   * @param {{rest: string, query: string}} texts
   * @returns {string|null} a note for the user; null for texts that only read
   */
  show(texts) {
    this.label.hidden = onlyReads(texts) || (texts.rest.trim() === '' && texts.query.trim() === '');
    if (this.label.hidden) this.reset();
    return this.label.hidden ? null : NOTE;
  }

  /**
   * Returns the options of a run. The change of the side `kept` stays stored. The requests of the other side have the
   * preference `tried`, tx=rollback. If the texts only read, there are no options.
   */
  options(texts) {
    return onlyReads(texts) ? {} : { kept: this.choice.value, tried: undone };
  }

  /** Selects that the changes of both sides are undone. To keep another change, a person selects its side again. */
  reset() {
    this.choice.value = '';
  }
}
