import { BadValue, type Field } from '@kontor/orm';
import { didYouMean, text } from '@kontor/protocol';

/** One of the values of a selection, given as itself or by its label. */
export function choiceReader(field: Field): (cell: string) => string {
  const values = field.selection ?? new Map<string, string>();
  const byLabel = new Map<string, string | null>();
  for (const [value, label] of [...values, ...Object.entries(field.spec.selection ?? {})]) {
    const key = label.trim().toLowerCase();
    const known = byLabel.get(key);
    // A label that stands for two values stands for none.
    byLabel.set(key, known === undefined || known === value ? value : null);
  }
  return (cell) => {
    const given = cell.trim();
    if (values.has(given)) return given;
    const value = byLabel.get(given.toLowerCase());
    if (typeof value === 'string') return value;
    const labels = [...values.values()];
    const hint =
      didYouMean(given, [...values.keys(), ...labels]) ||
      text(' Choose one of: {choices}.', {
        choices: labels.join(', '),
      });
    throw new BadValue(text('"{given}" is not one of the choices.{hint}', { given: given.slice(0, 80), hint }));
  };
}
