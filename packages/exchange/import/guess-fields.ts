import { fieldType, type ImportGuess, type ImportTarget, nearest } from '@kontor/protocol';
import { keyOf } from './iso-names.ts';
import type { ColumnMapping } from './plan-columns.ts';

export interface ProposedMapping {
  readonly mapping: ColumnMapping;
  /** By column: how its field was recognised. */
  readonly guesses: Readonly<Record<string, ImportGuess>>;
}

/**
 * Guesses the field of each column: by technical name, by label, by synonym in any active language, then by similarity. Every field
 * is assigned to at most one column.
 */
export function proposeMapping(headers: readonly string[], targets: readonly ImportTarget[]): ProposedMapping {
  const open = new Map(targets.map((target) => [target.name, target]));
  const found = new Map<string, ImportGuess>();
  const take = (by: ImportGuess['by'], find: (header: string, open: Open) => string | undefined): void => {
    for (const header of headers) {
      const field = found.has(header) ? undefined : find(header, open);
      if (field !== undefined && open.delete(field)) found.set(header, { field, by });
    }
  };
  take('same', byName);
  take('same', byLabel);
  take('known', byWord);
  take('similar', bySimilarity);
  const inOrder = headers.flatMap((header) => {
    const guess = found.get(header);
    return guess ? [[header, guess] as const] : [];
  });
  return {
    mapping: Object.fromEntries(inOrder.map(([header, { field }]) => [header, field])),
    guesses: Object.fromEntries(inOrder),
  };
}

type Open = ReadonlyMap<string, ImportTarget>;

/** `partner_id.display_name`, `partner_id.name` and `partner_id/id` are other notations of `partner_id`. */
function byName(header: string, open: Open): string | undefined {
  const name = header.trim().toLowerCase();
  if (open.has(name)) return name;
  const relation = name.replace(/[./](?:id|name|display_name)$/, '');
  if (relation !== name && open.has(relation) && fieldType(open.get(relation)?.type).isRelation) return relation;
  const line = name.replace('.', '/');
  return open.has(line) ? line : undefined;
}

function byLabel(header: string, open: Open): string | undefined {
  const key = keyOf(header);
  if (key === '') return undefined;
  return [...open.values()].find(({ name, label }) => keyOf(label) === key || keyOf(name) === key)?.name;
}

/** Fields of the record take precedence over fields of its lines, which come later among the targets. */
function byWord(header: string, open: Open): string | undefined {
  const key = keyOf(header);
  if (key === '') return undefined;
  return [...open.values()].find(({ words }) => words?.some((word) => keyOf(word) === key))?.name;
}

/** A wrong guess is worse than none: one letter may differ, two in a long word, and never the first. */
function bySimilarity(header: string, open: Open): string | undefined {
  const key = keyOf(header);
  if (key.length < 4) return undefined;
  const names = new Map<string, string>();
  for (const { name, label, words = [], lines } of open.values()) {
    if (lines !== undefined) continue;
    for (const each of [label, name, name.replace(/_ids?$/, ''), ...words].map(keyOf)) {
      if (each.length > 2 && each[0] === key[0] && !names.has(each)) names.set(each, name);
    }
  }
  return names.get(nearest(key, names.keys(), key.length < 8 ? 1 : 2) ?? '');
}
