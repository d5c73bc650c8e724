import { sql } from '@kontor/database';
import { actionLabel, type Kernel, type Said } from '@kontor/kernel';
import { type Actor, type Env, type Field, type Model, mayAccessModel, mayReadEverywhere } from '@kontor/orm';
import type {
  ProposedField,
  ProposedMessage,
  ProposedRecord,
  ProposedValue,
  RpcRequest,
  ShownProposal,
} from '@kontor/protocol';
import { recordPath } from '../settings/config-parameter.ts';
import { fromHtml } from '../texts/record-text.ts';
import { type Basis, calledIds, type EffectRow } from './effect.ts';

/** How many decided proposals are shown below the pending ones. */
const decidedShown = 50;
/** How many records of one proposal are listed individually. */
const recordsShown = 20;

interface ProposalRow {
  readonly id: number;
  readonly agent: string;
  readonly task: string | null;
  readonly reason: string | null;
  readonly request: string;
  readonly effect: string;
  readonly basis: string | null;
  readonly is_final: boolean;
  readonly version: number;
  readonly state: ShownProposal['state'];
  readonly note: string | null;
  readonly create_date: string;
  readonly decided_at: string | null;
  readonly [column: string]: unknown;
}

/** What one answer shows of a proposal. */
interface Extent {
  readonly records: number;
  readonly messages: number;
  readonly text: number;
}

const overview: Extent = { records: recordsShown, messages: 5, text: 1_000 };
const everything: Extent = { records: Infinity, messages: Infinity, text: Infinity };

/**
 * The proposals for a user, as far as the user may read the records: all pending ones, and recent decisions. Long ones are cut,
 * unless one is asked for as a whole.
 */
export function shownProposals(
  kernel: Kernel,
  actor: Actor,
  whole: number | null = null,
): Promise<readonly ShownProposal[]> {
  return kernel.read(actor, async (env) => {
    const rows = (await ownRows(env)).filter(({ id }) => whole === null || id === whole);
    const extent = whole === null ? overview : everything;
    const effects = rows.map(({ effect }) => (JSON.parse(effect) as EffectRow[]).filter((row) => isTold(env, row)));
    const told = effects.map((effect) => effect.slice(0, extent.records));
    const calls = rows.map(({ request }) => calledAction(env, JSON.parse(request) as RpcRequest));
    const said = rows.map(({ basis }) => (basis === null ? [] : ((JSON.parse(basis) as Basis).said ?? [])));
    const names = await namesIn(env, told.flat(), calls, said.flat());
    return rows.map((row, at): ShownProposal => {
      const [shown, call, messages] = [told[at] ?? [], calls[at] ?? null, said[at] ?? []];
      const made = new Set(
        shown.flatMap(({ operation, model, id }) => (operation === 'create' ? `${model},${id}` : [])),
      );
      const show = { env, names, made, cut: cutter(extent.text) };
      const records = shown.map((one) => toRecord(show, one));
      const answers = call === null ? [] : answersOf(show, call);
      const people = messages.slice(0, extent.messages).map((one) => toMessage(show, one));
      const more = (effects[at]?.length ?? 0) - shown.length;
      return {
        ...{ id: row.id, version: row.version, agent: row.agent, task: row.task, reason: row.reason },
        ...{ state: row.state, note: row.note, isFinal: row.is_final },
        at: toInstant(row.create_date),
        decidedAt: row.decided_at === null ? null : toInstant(row.decided_at),
        action: call?.label ?? null,
        on: (call?.ids ?? []).flatMap((id) => names.get(`${call?.model},${id}`) ?? []),
        ...{ answers, records, said: people, more },
        isCut: more > 0 || people.length < messages.length || show.cut.hasCut(),
      };
    });
  });
}

interface Show {
  readonly env: Env;
  readonly names: Names;
  /** New records, by `model,id`. */
  readonly made: ReadonlySet<string>;
  readonly cut: Cutter;
}

type Cutter = ReturnType<typeof cutter>;

function cutter(longest: number) {
  let hasCut = false;
  return {
    cut(text: string): string {
      if (text.length <= longest) return text;
      hasCut = true;
      return `${text.slice(0, longest)}…`;
    },
    hasCut: () => hasCut,
  };
}

/** Without what somebody else's record says: a message on a record that the user may not read. */
function toMessage(
  { names, cut }: Show,
  { kind, to, people = [], answersTo, about, subject, body, isHtml, files }: Said,
): ProposedMessage {
  const users = people.flatMap((id) => names.get(`core.user,${id}`) ?? []);
  const on = about ? [names.get(`${about.model},${about.id}`) ?? ''] : [];
  return {
    kind,
    to: [...to, ...users, ...on].filter(Boolean),
    answersTo: answersTo ?? null,
    subject,
    body: cut.cut(isHtml ? fromHtml(body) : body),
    files,
  };
}

function answersOf({ names, made, cut }: Show, { asks, vals }: CalledAction): ProposedField[] {
  return Object.entries(vals).flatMap(([name, given]): ProposedField[] => {
    const field = asks.get(name);
    if (!field) return [];
    const shown = field.spec.secret ? '…' : shownValue({ names, made, cut }, field, given);
    return [{ name, label: field.label, type: field.spec.type, old: null, new: shown }];
  });
}

/**
 * Read past the access rows, which hide the effect from everybody: these are the user's own, and each value is checked
 * below.
 */
function ownRows(env: Env): Promise<readonly ProposalRow[]> {
  const columns = sql`id, agent, task, reason, request, effect, basis, is_final, version, state, note, create_date, decided_at`;
  return env.db.query<ProposalRow>(sql`
    (select ${columns} from sys_proposal where user_id = ${env.uid}::int4 and state = 'waiting' order by id)
    union all
    (select ${columns} from sys_proposal where user_id = ${env.uid}::int4 and state <> 'waiting'
      order by id desc limit ${decidedShown}::int4)`);
}

/** A change of computed values only is not a requested change. */
function isTold(env: Env, { model, operation, values }: EffectRow): boolean {
  const known = env.registry.models.get(model);
  if (known === undefined || !mayAccessModel(env, known, 'read')) return false;
  return operation !== 'write' || Object.keys(values).length > 0;
}

interface CalledAction {
  readonly label: string;
  readonly model: string;
  readonly ids: readonly number[];
  readonly asks: ReadonlyMap<string, Field>;
  readonly vals: Readonly<Record<string, unknown>>;
}

/** The label of an action call, and the records it runs on. */
function calledAction(env: Env, { model, method, args }: RpcRequest): CalledAction | null {
  if (method !== 'call') return null;
  const name = String(args[1] ?? '');
  const action = env.registry.models.get(model)?.actions.get(name);
  const vals = (args[2] ?? {}) as CalledAction['vals'];
  const ids = calledIds(args).slice(0, recordsShown);
  return { label: actionLabel(name, action), model, ids, asks: action?.asks ?? new Map(), vals };
}

type Names = ReadonlyMap<string, string>;

/** Names of the records and of related ones, as far as the user may read them: one statement per model. */
async function namesIn(
  env: Env,
  rows: readonly EffectRow[],
  calls: readonly (CalledAction | null)[],
  said: readonly Said[],
): Promise<Names> {
  const wanted = new Map<string, Set<number>>();
  const want = (model: string, ids: readonly number[]) => {
    const known = env.registry.models.get(model);
    if (!known || known.served || !mayAccessModel(env, known, 'read')) return;
    const all = wanted.get(model) ?? new Set();
    wanted.set(model, all);
    for (const id of ids) all.add(id);
  };
  for (const { model, id, values } of rows) {
    want(model, [id]);
    for (const [name, value] of Object.entries(values)) {
      const relation = env.registry.model(model).fields.get(name)?.spec.relation;
      if (relation) want(relation, [...idsIn(value.old), ...idsIn(value.new)]);
    }
  }
  for (const { people = [], about } of said) {
    want('core.user', people);
    if (about) want(about.model, [about.id]);
  }
  for (const call of calls) {
    if (!call) continue;
    want(call.model, call.ids);
    for (const [name, field] of call.asks) {
      if (field.spec.relation) want(field.spec.relation, idsIn(call.vals[name]));
    }
  }
  const names = new Map<string, string>();
  for (const [model, ids] of wanted) {
    const found = await env.model(model).searchRead([['id', 'in', [...ids]]], ['display_name']);
    for (const { id, display_name } of found) names.set(`${model},${id}`, String(display_name ?? ''));
  }
  return names;
}

function idsIn(value: unknown): readonly number[] {
  if (typeof value === 'number') return Number.isInteger(value) && value > 0 && value < 2 ** 31 ? [value] : [];
  if (typeof value === 'string') return /^\d{1,9}$/.test(value) ? [Number(value)] : [];
  return Array.isArray(value) ? value.filter((id) => typeof id === 'number') : [];
}

function toRecord(show: Show, row: EffectRow): ProposedRecord {
  const { env, names } = show;
  const model = env.registry.model(row.model);
  const name = names.get(`${row.model},${row.id}`);
  const isNew = row.operation === 'create';
  // A record that the user may not read is listed, because it would be changed, but without details.
  const fields = isNew || name !== undefined ? fieldsOf(show, model, row) : [];
  const given = row.values.name?.new;
  return {
    ...{ model: row.model, id: isNew ? null : row.id, operation: row.operation, label: model.label },
    href: name === undefined || isNew ? null : recordPath(row.model, row.id),
    name: isNew ? (typeof given === 'string' ? given : '') : (name ?? ''),
    fields,
  };
}

function fieldsOf(shown: Show, model: Model, row: EffectRow): ProposedField[] {
  if (row.operation === 'unlink') return [];
  return Object.entries(row.values).flatMap(([name, { old, new: now }]): ProposedField[] => {
    const field = model.fields.get(name);
    if (!field || !mayReadEverywhere(shown.env, field)) return [];
    if (row.operation === 'create' && (isEmpty(now) || isUsual(field, now))) return [];
    const show = (value: unknown) => shownValue(shown, field, value);
    return [{ name, label: field.label, type: field.spec.type, old: show(old), new: show(now) }];
  });
}

function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '' ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** The defaults of every new record. */
function isUsual({ spec }: Field, value: unknown): boolean {
  return spec.default === value || (spec.default === undefined && value === 0);
}

/** Names of records, labels of selections; null: empty, or hidden from the user. */
function shownValue(
  { names, made, cut }: Pick<Show, 'names' | 'made' | 'cut'>,
  field: Field,
  value: unknown,
): ProposedValue {
  if (value === null || value === undefined) return null;
  const { relation } = field.spec;
  if (relation) {
    const shown = idsIn(value).flatMap((id) =>
      made.has(`${relation},${id}`) ? '+' : (names.get(`${relation},${id}`) ?? []),
    );
    return shown.length === 0 ? null : shown.join(', ');
  }
  if (field.selection && typeof value === 'string') return field.selection.get(value) ?? value;
  if (field.kind.isOpaque) return '…';
  if (typeof value === 'string')
    return cut.cut(field.kind.isText && !field.kind.isShort && !field.kind.isLong ? fromHtml(value) : value);
  return typeof value === 'number' || typeof value === 'boolean' ? value : cut.cut(JSON.stringify(value));
}

function toInstant(stored: string): string {
  return new Date(stored).toISOString();
}
