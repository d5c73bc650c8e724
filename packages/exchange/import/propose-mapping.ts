import { type ImportTarget, nearest } from '@kontor/protocol';

export type ColumnMapping = Readonly<Record<string, string>>;

/**
 * Which field each column most likely is: by technical name, then by label, then by what is nearly one of them. Every field
 * goes to one column at most.
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
  for (const header of headers) if (!mapping.has(header)) take(header, byGuess(header, open));
  const inOrder = headers.flatMap((header) => {
    const name = mapping.get(header);
    return name === undefined ? [] : [[header, name] as const];
  });
  return Object.fromEntries(inOrder);
}

type Open = ReadonlyMap<string, ImportTarget>;

/** `partner_id.display_name`, `partner_id.name` and `partner_id/id` are ways of others to write `partner_id`. */
function byName(header: string, open: Open): string | undefined {
  const name = header.trim().toLowerCase();
  const [first = ''] = name.split(/[./]/, 1);
  const isRelation = ['many2one', 'many2many'].includes(open.get(first)?.type ?? '');
  const tail = name.slice(first.length + 1);
  return open.has(name) ? name : isRelation && ['id', 'name', 'display_name'].includes(tail) ? first : undefined;
}

function byLabel(header: string, open: Open): string | undefined {
  const key = keyOf(header);
  return [...open.values()].find(({ name, label }) => keyOf(label) === key || keyOf(name) === key)?.name;
}

function byGuess(header: string, open: Open): string | undefined {
  const key = keyOf(header);
  if (key.length < 4) return undefined;
  const names = new Map<string, string>();
  for (const { name, label } of open.values()) {
    for (const each of [keyOf(label), keyOf(name), keyOf(name.replace(/_ids?$/, ''))]) {
      if (each.length > 2 && !names.has(each)) names.set(each, name);
    }
  }
  return names.get(nearest(key, names.keys()) ?? '');
}

/** Letters and digits alone, without accents: `E-Mail-Adresse` and `email adresse` are the same. */
function keyOf(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
