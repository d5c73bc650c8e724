import type { BadCell, ImportFixes, ImportGuess, ImportProblem, ImportTarget } from '@kontor/protocol';
import type { RecordValues } from '../../data/rpc.ts';

export type Mapping = Readonly<Record<string, string>>;

/** An uploaded file, as stored on the server. */
export interface Batch {
  readonly id: number;
  readonly model: string;
  readonly mode: 'create' | 'upsert';
  readonly skipsInvalid: boolean;
  readonly state: 'draft' | 'running' | 'done' | 'failed' | 'cancelled';
  readonly next: string;
  readonly headers: readonly string[];
  readonly preview: readonly (readonly string[])[];
  readonly targets: readonly ImportTarget[];
  readonly mapping: Mapping;
  /** How the fields of columns were recognised. */
  readonly guesses: Readonly<Record<string, ImportGuess>>;
  /** How the letters of a CSV file were read; empty for a workbook. */
  readonly encoding: string;
  readonly total: number;
  readonly imported: number;
  readonly updated: number;
  readonly skipped: number;
  readonly errors: readonly BadCell[];
  readonly problems: readonly ImportProblem[];
  /** Replacements for invalid values. */
  readonly fixes: ImportFixes;
  /** For a workbook: its sheets, and the one that is imported. */
  readonly sheets: readonly string[];
  readonly sheet: string;
  /** The URL of the list of created and updated records; empty if there are none. */
  readonly recordsPath: string;
}

export const batchPaths = [
  ...['model', 'import_mode', 'skip_invalid', 'state', 'next', 'headers', 'preview', 'targets'],
  ...['column_mapping', 'total', 'imported', 'updated', 'skipped', 'errors'],
  ...['problems', 'fixes', 'sheets', 'sheet', 'records_path', 'guesses', 'encoding'],
];

export function toBatch(record: RecordValues): Batch {
  const list = <T>(value: unknown) => (Array.isArray(value) ? (value as readonly T[]) : []);
  const count = (value: unknown) => (typeof value === 'number' ? value : 0);
  return {
    id: record.id,
    model: String(record.model ?? ''),
    mode: record.import_mode === 'upsert' ? 'upsert' : 'create',
    skipsInvalid: record.skip_invalid === true,
    state: (record.state as Batch['state'] | undefined) ?? 'draft',
    next: typeof record.next === 'string' ? record.next : `/web?model=${String(record.model)}&view_type=list`,
    headers: list<string>(record.headers),
    preview: list<readonly string[]>(record.preview),
    targets: list<ImportTarget>(record.targets),
    mapping: (record.column_mapping ?? {}) as Mapping,
    guesses: (record.guesses ?? {}) as Batch['guesses'],
    encoding: String(record.encoding ?? ''),
    total: count(record.total),
    imported: count(record.imported),
    updated: count(record.updated),
    skipped: count(record.skipped),
    errors: list<BadCell>(record.errors),
    problems: list<ImportProblem>(record.problems),
    fixes: (record.fixes ?? {}) as ImportFixes,
    sheets: list<string>(record.sheets),
    sheet: String(record.sheet ?? ''),
    recordsPath: String(record.records_path ?? ''),
  };
}

/** Required fields that no column is mapped to. */
export function missingFields({ targets, mode }: Batch, mapping: Mapping): readonly ImportTarget[] {
  const mapped = new Set(Object.values(mapping));
  if (mode === 'upsert' && targets.some(({ name, unique }) => unique && mapped.has(name))) return [];
  // Required fields of lines matter only if lines are imported.
  const lists = new Set([...mapped].filter((name) => name.includes('/')).map((name) => name.split('/', 1)[0]));
  return targets.filter(
    ({ name, required, lines }) => required && !mapped.has(name) && (lines === undefined || lists.has(lines)),
  );
}

/** Updates need a field that identifies records. */
export function needsKey({ targets, mode }: Batch, mapping: Mapping): boolean {
  const mapped = new Set(Object.values(mapping));
  return mode === 'upsert' && !targets.some(({ name, unique }) => unique && mapped.has(name));
}

/** The field that a column is mapped to. */
export function targetOf({ targets, mapping }: Batch, column: string): ImportTarget | undefined {
  return targets.find(({ name }) => name === mapping[column]);
}

/** Up to three different values of a column, to recognise it by. */
export function samplesOf({ preview }: Batch, index: number): readonly string[] {
  const values = preview.map((cells) => (cells[index] ?? '').trim()).filter((cell) => cell !== '');
  return [...new Set(values)].slice(0, 3);
}
