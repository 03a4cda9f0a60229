import { element } from './element.js';

/**
 * Returns the metrics of a `Server-Timing` field (www.w3.org/TR/server-timing), in their order.
 *
 * @returns {{name: string, milliseconds: number|null, description: string|null}[]}
 */
export function serverTiming(field) {
  const metrics = [];
  // Commas and semicolons in quotes are part of a description.
  for (const [metric] of (field ?? '').matchAll(/(?:"(?:\\.|[^"\\])*"|[^,"])+/g)) {
    const [name, ...parameters] = metric.match(/(?:"(?:\\.|[^"\\])*"|[^;"])+/g).map((part) => part.trim());
    if (!name) continue;
    const values = Object.fromEntries(
      parameters.map((parameter) => {
        const [key, ...value] = parameter.split('=');
        return [key.trim().toLowerCase(), value.join('=').trim().replace(/^"(.*)"$/, '$1').replaceAll(/\\(.)/g, '$1')];
      }),
    );
    const milliseconds = Number.parseFloat(values.dur);
    metrics.push({ name, milliseconds: Number.isNaN(milliseconds) ? null : milliseconds, description: values.desc ?? null });
  }
  return metrics;
}

/** Returns the number of SQL statements; null if the field does not contain it. */
export function statements(metrics) {
  const text = metrics.find((metric) => metric.name === 'sql')?.description;
  return /^\d+$/.test(text ?? '') ? Number(text) : null;
}

/** Returns a text such as `1 statement` or `3 statements`; null if the field does not contain the number. */
export function statementCount(metrics) {
  const count = statements(metrics);
  return count === null ? null : `${count} ${count === 1 ? 'statement' : 'statements'}`;
}

/** Returns milliseconds in a readable form. */
export function duration(milliseconds) {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(2)} s`;
  return `${milliseconds.toFixed(milliseconds < 1 ? 3 : milliseconds < 10 ? 2 : milliseconds < 100 ? 1 : 0)} ms`;
}

/**
 * Returns the phases of a `Server-Timing` field as a bar and as a list. The length of a part of the bar is proportional
 * to the duration of the phase.
 */
export function timingView(metrics) {
  const phases = metrics.filter((metric) => metric.milliseconds !== null && metric.name !== 'total');
  const counted = statementCount(metrics);
  const bar = element('div', { class: 'phases-bar', 'aria-hidden': 'true' });
  const list = element('dl', { class: 'phases' });
  const total = phases.reduce((sum, phase) => sum + phase.milliseconds, 0) || 1;
  for (const { name, milliseconds } of phases) {
    const part = element('span', { class: `phase phase-${name}` });
    part.style.flexGrow = String((100 * milliseconds) / total);
    bar.append(part);
    const detail = name === 'sql' && counted ? ` · ${counted}` : '';
    list.append(
      element('div', { class: `phase-${name}` }, element('dt', {}, name), element('dd', {}, `${duration(milliseconds)}${detail}`)),
    );
  }
  return phases.length > 0 ? [bar, list] : [];
}
