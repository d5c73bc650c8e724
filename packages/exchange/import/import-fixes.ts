import { everyValue, type ImportFix, type ImportFixes, invalidArgs, type KontorError } from '@kontor/protocol';

/** The user's choices for the values of one column. */
export type ColumnFixes = ReadonlyMap<string, ImportFix>;

const maxFixes = 5_000;
const fixKinds = ['create', 'empty', 'skip', 'update', 'first', 'keep'] as const;

/** Reads fixes from a request or from the batch; throws INVALID_ARGS for anything but fixes by column and value. */
export function parseFixes(given: unknown): ImportFixes {
  const fixes = typeof given === 'string' ? fromJson(given) : given;
  if (fixes === null || fixes === undefined) return {};
  let count = 0;
  for (const values of Object.values(mapOf(fixes))) {
    for (const fix of Object.values(mapOf(values))) {
      if (!isFix(fix) || ++count > maxFixes) throw badFixes();
    }
  }
  return fixes as ImportFixes;
}

function fromJson(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    throw badFixes();
  }
}

function mapOf(given: unknown): Readonly<Record<string, unknown>> {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Record<string, unknown>;
  throw badFixes();
}

function isFix(given: unknown): given is ImportFix {
  const fix = mapOf(given);
  return fixKinds.some((kind) => fix[kind] === true) || typeof fix.use === 'string';
}

function badFixes(): KontorError {
  return invalidArgs('fixes must be a JSON map of columns, to values, to what becomes of them.', { field: 'fixes' });
}

export function fixesOf(fixes: ImportFixes, header: string): ColumnFixes | null {
  const own = Object.hasOwn(fixes, header) ? fixes[header] : undefined;
  return own === undefined || Object.keys(own).length === 0 ? null : new Map(Object.entries(own));
}

/** What is chosen for a missing record or a duplicate: for this value, or for all of the column. */
export function fixFor(fixes: ColumnFixes | null, value: string): ImportFix | undefined {
  return fixes?.get(value) ?? fixes?.get(everyValue);
}
