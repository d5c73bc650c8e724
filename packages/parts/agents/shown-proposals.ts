import { sql } from '@kontor/database';
import { actionLabel, type Kernel } from '@kontor/kernel';
import { type Actor, type Env, type Field, type Model, mayAccessModel, mayReadField } from '@kontor/orm';
import type { ProposedField, ProposedRecord, ProposedValue, RpcRequest, ShownProposal } from '@kontor/protocol';
import { recordPath } from '../settings/config-parameter.ts';
import { calledIds, type EffectRow } from './effect.ts';

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
  readonly is_final: boolean;
  readonly version: number;
  readonly state: ShownProposal['state'];
  readonly note: string | null;
  readonly create_date: string;
  readonly decided_at: string | null;
  readonly [column: string]: unknown;
}

/** The proposals for a user: all pending ones, and recent decisions, as far as the user may read the records. */
export function shownProposals(kernel: Kernel, actor: Actor): Promise<readonly ShownProposal[]> {
  return kernel.read(actor, async (env) => {
    const rows = await ownRows(env);
    const effects = rows.map(({ effect }) => (JSON.parse(effect) as EffectRow[]).filter((row) => isTold(env, row)));
    const told = effects.map((effect) => effect.slice(0, recordsShown));
    const calls = rows.map(({ request }) => calledAction(env, JSON.parse(request) as RpcRequest));
    const names = await namesIn(env, told.flat(), calls);
    return rows.map((row, at): ShownProposal => {
      const shown = told[at] ?? [];
      const made = new Set(
        shown.flatMap(({ operation, model, id }) => (operation === 'create' ? `${model},${id}` : [])),
      );
      return {
        ...{ id: row.id, version: row.version, agent: row.agent, task: row.task, reason: row.reason },
        ...{ state: row.state, note: row.note, isFinal: row.is_final },
        at: toInstant(row.create_date),
        decidedAt: row.decided_at === null ? null : toInstant(row.decided_at),
        action: calls[at]?.label ?? null,
        on: (calls[at]?.ids ?? []).flatMap((id) => names.get(`${calls[at]?.model},${id}`) ?? []),
        records: shown.map((one) => toRecord(env, one, names, made)),
        more: (effects[at]?.length ?? 0) - shown.length,
      };
    });
  });
}

/**
 * Read past the access rows, which hide the effect from everybody: these are the user's own, and each value is checked
 * below.
 */
function ownRows(env: Env): Promise<readonly ProposalRow[]> {
  const columns = sql`id, agent, task, reason, request, effect, is_final, version, state, note, create_date, decided_at`;
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
}

/** The label of an action call, and the records it runs on. */
function calledAction(env: Env, { model, method, args }: RpcRequest): CalledAction | null {
  if (method !== 'call') return null;
  const name = String(args[1] ?? '');
  const label = actionLabel(name, env.registry.models.get(model)?.actions.get(name));
  return { label, model, ids: calledIds(args).slice(0, recordsShown) };
}

type Names = ReadonlyMap<string, string>;

/** Names of the records and of related ones, as far as the user may read them: one statement per model. */
async function namesIn(env: Env, rows: readonly EffectRow[], calls: readonly (CalledAction | null)[]): Promise<Names> {
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
  for (const call of calls) if (call) want(call.model, call.ids);
  const names = new Map<string, string>();
  for (const [model, ids] of wanted) {
    const found = await env.model(model).searchRead([['id', 'in', [...ids]]], ['display_name']);
    for (const { id, display_name } of found) names.set(`${model},${id}`, String(display_name ?? ''));
  }
  return names;
}

function idsIn(value: unknown): readonly number[] {
  if (typeof value === 'number') return [value];
  return Array.isArray(value) ? value.filter((id) => typeof id === 'number') : [];
}

function toRecord(env: Env, row: EffectRow, names: Names, made: ReadonlySet<string>): ProposedRecord {
  const model = env.registry.model(row.model);
  const name = names.get(`${row.model},${row.id}`);
  const isNew = row.operation === 'create';
  // A record that the user may not read is listed, because it would be changed, but without details.
  const fields = isNew || name !== undefined ? fieldsOf(env, model, row, names, made) : [];
  const given = row.values.name?.new;
  return {
    ...{ model: row.model, id: isNew ? null : row.id, operation: row.operation, label: model.label },
    href: name === undefined || isNew ? null : recordPath(row.model, row.id),
    name: isNew ? (typeof given === 'string' ? given : '') : (name ?? ''),
    fields,
  };
}

function fieldsOf(env: Env, model: Model, row: EffectRow, names: Names, made: ReadonlySet<string>): ProposedField[] {
  if (row.operation === 'unlink') return [];
  return Object.entries(row.values).flatMap(([name, { old, new: now }]): ProposedField[] => {
    const field = model.fields.get(name);
    if (!field || !mayReadField(env, field)) return [];
    if (row.operation === 'create' && (isEmpty(now) || isUsual(field, now))) return [];
    const show = (value: unknown) => shownValue(field, value, names, made);
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

const longest = 1_000;

/** Names of records, labels of selections; null: empty, or hidden from the user. */
function shownValue(field: Field, value: unknown, names: Names, made: ReadonlySet<string>): ProposedValue {
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
  if (typeof value === 'string') return value.length > longest ? `${value.slice(0, longest)}…` : value;
  return typeof value === 'number' || typeof value === 'boolean' ? value : JSON.stringify(value).slice(0, longest);
}

function toInstant(stored: string): string {
  return new Date(stored).toISOString();
}
