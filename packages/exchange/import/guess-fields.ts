import { fieldType, type ImportTarget, nearest } from '@kontor/protocol';
import type { ColumnMapping } from './plan-columns.ts';

/**
 * Guesses the field of each column: by technical name, by label, by synonym in any active language, then by similarity. Every field
 * is assigned to at most one column.
 */
export function proposeMapping(headers: readonly string[], targets: readonly ImportTarget[]): ColumnMapping {
  const open = new Map(targets.map((target) => [target.name, target]));
  const mapping = new Map<string, string>();
  const take = (header: string, name: string | undefined): void => {
    if (name === undefined || mapping.has(header) || !open.delete(name)) return;
    mapping.set(header, name);
  };
  for (const header of headers) take(header, byName(header, open));
  for (const header of headers) take(header, byLabel(header, open));
  for (const header of headers) take(header, byWord(header, open));
  for (const header of headers) if (!mapping.has(header)) take(header, byGuess(header, open));
  const inOrder = headers.flatMap((header) => {
    const name = mapping.get(header);
    return name === undefined ? [] : [[header, name] as const];
  });
  return Object.fromEntries(inOrder);
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

function byGuess(header: string, open: Open): string | undefined {
  const key = keyOf(header);
  if (key.length < 4) return undefined;
  const names = new Map<string, string>();
  for (const { name, label, words = [], lines } of open.values()) {
    if (lines !== undefined) continue;
    for (const each of [label, name, name.replace(/_ids?$/, ''), ...words].map(keyOf)) {
      if (each.length > 2 && !names.has(each)) names.set(each, name);
    }
  }
  return names.get(nearest(key, names.keys()) ?? '');
}

/** Only letters and digits, without accents: `E-Mail-Adresse` and `email adresse` are the same. */
function keyOf(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
