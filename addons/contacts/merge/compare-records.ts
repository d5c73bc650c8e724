import { anyModel, checkRight, type Env, KontorError } from '@kontor/addon';
import { type Field, isChoosable, isEmpty, isFilled, isOwnList } from './combined-values.ts';
import { type Move, type Reference, referencesTo } from './move-references.ts';

/** What the widget `comparison` shows. */
export interface RecordComparison {
  readonly keep: number;
  readonly records: readonly { readonly id: number; readonly name: string }[];
  readonly rows: readonly Row[];
  /** What belongs to each of the records and moves to the kept one. */
  readonly moves: readonly { readonly label: string; readonly counts: readonly number[] }[];
}

interface Row {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  /** One for each record. */
  readonly values: readonly unknown[];
  /**
   * `choice`: the value of the kept record, or the first of the others, unless the person chooses; `first`: the same without a choice; `further`: a
   * choice, and the others become further lines; `all`: all of them.
   */
  readonly kept: 'choice' | 'first' | 'further' | 'all';
}

/** Fields of which a merge keeps more than the rule for all fields says. */
export interface MergeRules {
  /** Texts that are joined. */
  readonly joined?: readonly string[];
  /** Texts of the others that are kept as further lines. */
  readonly further?: readonly string[];
  /** Fields that the kept record takes from the others if it has none, by rules of the model. */
  readonly taken?: readonly string[];
}

/** What the server and the order of records are about says nothing to people. */
const hidden: ReadonlySet<string> = new Set([
  'active',
  'sequence',
  'create_date',
  'write_date',
  'create_uid',
  'write_uid',
]);

/** As many records as fit beside each other; a merge of more shows the first of them. */
const mostShown = 6;

/** What a person sees before a merge: the records beside each other, what is kept of each field, and what moves to the kept record. */
export async function compareRecords(
  env: Env,
  { model, keep, others }: Move,
  rules: MergeRules = {},
): Promise<RecordComparison> {
  const ids = [keep, ...others].sort((a, b) => a - b).slice(0, mostShown);
  const records = await anyModel(env, model).read(ids, ['display_name']);
  const shown = { model, ids };
  return {
    keep,
    records: records.map(({ id, display_name: name }) => ({ id, name: String(name ?? '') })),
    rows: await rowsOf(env, shown, rules),
    moves: await movesOf(env, shown),
  };
}

interface Shown {
  readonly model: string;
  readonly ids: readonly number[];
}

async function rowsOf(env: Env, { model, ids }: Shown, rules: MergeRules): Promise<Row[]> {
  const machine = env.registry.models.get(model)?.states?.field;
  const all = [...(env.registry.models.get(model)?.fields.values() ?? [])];
  const compared = all.filter((field) => field.name !== machine && isReadable(env, field) && keptOf(field, rules));
  const paths = compared.map((field) => (field.kind.isLinks ? { [field.name]: ['display_name'] } : pathOf(field)));
  const records = await anyModel(env, model).read(ids, paths);
  return compared.flatMap((field) => {
    const values = records.map((record) => shownValue(field, record));
    if (values.every((value) => isEmpty(value) || value === false || Number(value) === 0)) return [];
    const kept = keptOf(field, rules) as Row['kept'];
    return [{ name: field.name, label: field.label, type: shownType(field), values, kept }];
  });
}

/** What becomes of the values of a field; null: it says nothing to people. */
function keptOf(field: Field, { joined = [], further = [], taken = [] }: MergeRules): Row['kept'] | null {
  if (joined.includes(field.name)) return 'all';
  if (further.includes(field.name)) return 'further';
  if (taken.includes(field.name)) return 'first';
  if (isOwnList(field)) return 'all';
  if (isChoosable(field)) return 'choice';
  return isFilled(field) ? 'first' : null;
}

function isReadable(env: Env, { spec, name }: Field): boolean {
  if (hidden.has(name) || spec.secret) return false;
  return spec.groups === undefined || spec.groups.some((group) => env.actor.groups.has(group));
}

function pathOf({ name, kind }: Field): string {
  return kind.isToOne ? `${name}.display_name` : name;
}

function shownType({ kind, spec, selection }: Field): string {
  if (kind.isFile) return 'boolean';
  return kind.isRelation || kind.isText || selection ? 'char' : spec.type;
}

/** As the screen shows it: names of records, labels of choices, formatted text without its marks. */
function shownValue(field: Field, record: Readonly<Record<string, unknown>>): unknown {
  const { kind, selection } = field;
  if (kind.isLinks) {
    const linked = (record[field.name] ?? []) as readonly { readonly display_name?: unknown }[];
    return linked.map(({ display_name: name }) => String(name ?? '')).join(', ') || null;
  }
  const value = record[pathOf(field)] ?? null;
  if (value === null || value === '') return null;
  if (kind.isFile) return true;
  if (selection) return selection.get(String(value)) ?? String(value);
  if (kind.shownAs === 'html') return plainText(String(value));
  return typeof value === 'object' ? String(value) : value;
}

function plainText(html: string): string {
  return html
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 300);
}

/** How many records of each kind belong to each of them, as far as the person may see them. */
async function movesOf(env: Env, { model, ids }: Shown): Promise<RecordComparison['moves']> {
  const counts = new Map<string, number[]>();
  const own = env.registry.models.get(model)?.fields.values() ?? [];
  const lists = new Set([...own].filter(isOwnList).map((field) => field.through?.table));
  for (const reference of referencesTo(env, model)) {
    const field = env.registry.models.get(reference.model)?.fields.get(reference.field);
    // Lists of the records themselves are among their fields.
    const isList = field?.through != null && lists.has(field.through.table);
    if (isList || reference.model.startsWith('sys.') || reference.model === 'core.partner.duplicate') continue;
    const found = await countsOf(env, { model, ids }, reference);
    if (found.every((count) => count === 0)) continue;
    const label = env.registry.models.get(reference.model)?.label ?? reference.model;
    const before = counts.get(label) ?? ids.map(() => 0);
    counts.set(
      label,
      before.map((count, index) => count + (found[index] ?? 0)),
    );
  }
  return [...counts].map(([label, found]) => ({ label, counts: found }));
}

async function countsOf(env: Env, { model, ids }: Shown, { model: name, field, kind }: Reference): Promise<number[]> {
  const records = anyModel(env, name);
  const pair = kind === 'pair' ? [['model', '=', model] as const] : [];
  const named = (id: number) => (kind === 'reference' ? `${model},${id}` : id);
  const count = async (wanted: readonly number[]) => records.count([...pair, [field, 'in', wanted.map(named)]]);
  if (!(await mayCount(env, name)) || (await count(ids)) === 0) return ids.map(() => 0);
  const own: number[] = [];
  for (const id of ids) own.push(await count([id]));
  return own;
}

async function mayCount(env: Env, model: string): Promise<boolean> {
  try {
    await checkRight(env, model, [], 'read');
    return true;
  } catch (error) {
    if (error instanceof KontorError && error.code === 'ACCESS_DENIED') return false;
    throw error;
  }
}
