import { sql } from '@kontor/database';
import { dispatch, type Kernel, type KeyScope } from '@kontor/kernel';
import { type Actor, type Env, mayAccessModel, mayReadField, toJson } from '@kontor/orm';
import { KontorError, type ProposalDecision, type RpcRequest, type Text, type Translate, text } from '@kontor/protocol';
import { toScope } from '../identity/key-scope.ts';
import { agentGuard, agentScope } from './agent-call.ts';
import {
  type Basis,
  type Calculated,
  type Difference,
  differences,
  type EffectRow,
  effectOf,
  gatherChanges,
  targetsOf,
} from './effect.ts';

/** The deciding user, and their origin. */
export interface Decider {
  readonly actor: Actor;
  readonly requestId: string;
  readonly address: string;
  readonly via: string;
}

/** A proposal as the user saw it. */
export interface SeenProposal {
  readonly id: number;
  readonly version: number;
}

interface ProposalRow {
  readonly id: number;
  readonly user_id: number;
  readonly owner_id: number | null;
  readonly key_id: number | null;
  readonly agent: string;
  readonly state: string;
  readonly request: string;
  readonly effect: string;
  readonly basis: string | null;
  readonly version: number;
  readonly [column: string]: unknown;
}

/**
 * Executes a proposal in the name of the key's owner and within the current scope of the key. If its effect would
 * differ from what the user saw, it is not executed: it waits, with its new effect.
 */
export async function approveProposal(kernel: Kernel, decider: Decider, seen: SeenProposal): Promise<ProposalDecision> {
  const row = await waitingRow(kernel, decider, seen);
  const request = JSON.parse(row.request) as RpcRequest;
  try {
    await checkSeen(kernel, decider.actor, aboutIn(row, request));
    const owner = await ownerOf(kernel, row.owner_id ?? row.user_id);
    const scope = await scopeNow(kernel, owner, row);
    const gathered = gatherChanges();
    const targets = await kernel.read(owner, (env) => targetsOf(env, request));
    const { changeSet } = await dispatch(
      kernel,
      {
        actor: owner,
        scope: agentScope(scope),
        ...{ requestId: decider.requestId, address: decider.address, via: `agent ${row.agent}, ${decider.via}` },
        agent: row.agent,
        ...{ idempotency: null, lastWrite: null },
        guard: agentGuard(gathered.see),
        beforeCommit: async (env, { changeSet: made }) => {
          const effect = effectOf(env.registry, gathered.changes());
          const now = { effect, basis: { at: gathered.at(), targets, said: gathered.said() } };
          const differs = differences(env.registry, shownIn(row), now);
          if (differs.length > 0) throw new ChangedSince(now, differs);
          await close(env, row, { state: 'done', note: null, changeSet: made });
        },
      },
      request,
    );
    return { id: row.id, state: 'done', changeSet, problem: null };
  } catch (error) {
    const problem = await problemIn(kernel, decider.actor, error);
    if (!problem) throw error;
    await keepProblem(kernel, decider, row, { problem, now: error instanceof ChangedSince ? error.now : null });
    return { id: row.id, state: 'waiting', changeSet: null, problem };
  }
}

/** Nothing is changed; the agent is told the user's note. */
export async function refuseProposal(
  kernel: Kernel,
  decider: Decider,
  seen: SeenProposal,
  word: string,
): Promise<ProposalDecision> {
  const row = await waitingRow(kernel, decider, seen);
  await kernel.transact(
    decider.actor,
    (env) => close(env, row, { state: 'refused', note: word.trim().slice(0, 1_000) || null, changeSet: null }),
    decider,
  );
  return { id: row.id, state: 'refused', changeSet: null, problem: null };
}

class ChangedSince extends Error {
  readonly now: Calculated;
  readonly differs: readonly Difference[];
  constructor(now: Calculated, differs: readonly Difference[]) {
    super('changed since');
    this.now = now;
    this.differs = differs;
  }
}

/** What the user was shown. For a proposal stored without its basis, nothing is known to be the same. */
function shownIn({ effect, basis }: ProposalRow): Calculated {
  const unknown: Basis = { at: '', targets: {} };
  return {
    effect: JSON.parse(effect) as EffectRow[],
    basis: basis === null ? unknown : (JSON.parse(basis) as Basis),
  };
}

/** Errors that a user can act on; anything else is a failure of the server. */
async function problemIn(kernel: Kernel, actor: Actor, error: unknown): Promise<string | null> {
  const say = kernel.wordsIn(actor.lang);
  if (error instanceof ChangedSince) {
    const what = await kernel.read(actor, async (env) => whatDiffers(env, error.differs, say));
    const told = text('{what} changed in the meantime, so nothing was done. This is what would happen now.', { what });
    return say(told, 'base');
  }
  if (!(error instanceof KontorError) || failures.has(error.code)) return null;
  const { message, details } = error.translated(say);
  const fields = Object.values((details.fields ?? {}) as Readonly<Record<string, unknown>>);
  return [message, ...fields.flatMap((words) => (Array.isArray(words) ? words.map(String) : []))].join(' ');
}

const parts: Readonly<Record<Exclude<Difference['part'], 'value' | 'record'>, Text>> = {
  target: text('The records that it is about'),
  recipients: text('Recipients'),
  subject: text('Subject'),
  text: text('Text'),
  files: text('Files'),
  messages: text('What people are told'),
};

/** How many differences are named. */
const named = 5;

/** Names of fields that the user may read, otherwise of their record. */
function whatDiffers(env: Env, differs: readonly Difference[], say: Translate): string {
  const names = differs.map(({ model: name, field: fieldName, part }) => {
    if (part !== 'value' && part !== 'record') return say(parts[part], 'base');
    const model = env.registry.model(name ?? '');
    const field = fieldName === null ? undefined : model.fields.get(fieldName);
    return field && mayReadField(env, field) ? `${model.label}: ${field.label}` : model.label;
  });
  const all = [...new Set(names)];
  return [...all.slice(0, named), ...(all.length > named ? ['…'] : [])].join(', ');
}

const failures: ReadonlySet<string> = new Set(['INTERNAL_ERROR', 'UNAVAILABLE', 'RATE_LIMITED']);

/** Read past the access rows: the call and its effect cannot be read as fields. Only the user's own are found. */
async function waitingRow(kernel: Kernel, { actor }: Decider, { id, version }: SeenProposal): Promise<ProposalRow> {
  const [row] = await kernel.database.query<ProposalRow>(sql`
    select id, user_id, owner_id, key_id, agent, state, request, effect, basis, version from sys_proposal
    where id = ${id}::int4 and user_id = ${actor.uid}::int4`);
  if (!row) throw new KontorError('NOT_FOUND', undefined, { model: 'sys.proposal', missing_ids: [id] });
  if (row.state !== 'waiting' || row.version !== version) throw decidedElsewhere();
  return row;
}

function decidedElsewhere(): KontorError {
  return new KontorError('CONFLICT', text('This was decided or recalculated in the meantime. Review it again.'));
}

type Touched = Pick<EffectRow, 'model' | 'id' | 'operation'>;

/** The records of the effect, those that the call is on, and those that its messages are on. */
function aboutIn({ effect, basis }: ProposalRow, request: RpcRequest): readonly Touched[] {
  const known = basis === null ? null : (JSON.parse(basis) as Basis);
  const said = (known?.said ?? []).flatMap(({ about }) => (about ? [about] : []));
  const targets = Object.keys(known?.targets ?? {}).map((id) => ({ model: request.model, id: Number(id) }));
  const rows = JSON.parse(effect) as EffectRow[];
  const made = new Set(rows.flatMap((row) => (row.operation === 'create' ? `${row.model},${row.id}` : [])));
  const others = [...said, ...targets].filter(({ model, id }) => !made.has(`${model},${id}`));
  return [...rows, ...others.map((each) => ({ ...each, operation: 'write' as const }))];
}

/** Users cannot approve what they may not see: the models, and the existing records. */
async function checkSeen(kernel: Kernel, actor: Actor, effect: readonly Touched[]): Promise<void> {
  await kernel.read(actor, async (env) => {
    for (const name of new Set(effect.map(({ model }) => model))) {
      const model = env.registry.models.get(name);
      const ids = effect.filter((row) => row.model === name && row.operation !== 'create').map(({ id }) => id);
      const found =
        model && mayAccessModel(env, model, 'read') ? await env.model(name).search([['id', 'in', ids]]) : null;
      if (found !== null && found.length === new Set(ids).size) continue;
      // The call itself reports deleted records, below.
      const isGone =
        found !== null &&
        (
          await env
            .sudo()
            .model(name)
            .search([['id', 'in', ids]])
        ).length === found.length;
      if (!isGone) throw new KontorError('USER_ERROR', text('You may not see all that this would change.'));
    }
  });
}

/** The current scope of the key; an expired key does nothing more. */
async function scopeNow(kernel: Kernel, owner: Actor, { key_id: keyId }: ProposalRow): Promise<KeyScope | null> {
  const [key] = await kernel.read(owner, (env) =>
    env.model('core.user.apikey').searchRead(
      [
        ['id', '=', keyId],
        ['active', '=', true],
      ],
      ['scope', 'expires_at'],
    ),
  );
  if (!key || (key.expires_at !== null && Date.parse(String(key.expires_at)) <= Date.now())) {
    throw new KontorError('USER_ERROR', text('The key of this agent has expired and can no longer be used.'));
  }
  return toScope(key.scope);
}

async function ownerOf(kernel: Kernel, uid: number): Promise<Actor> {
  const owner = await kernel.actor(uid);
  if (!owner) throw new KontorError('UNAUTHORIZED');
  return owner;
}

interface Closing {
  readonly state: 'done' | 'refused';
  readonly note: string | null;
  readonly changeSet: number | null;
}

/** Of two concurrent decisions, the second finds nothing to decide. */
async function close(env: Env, { id, version }: ProposalRow, { state, note, changeSet }: Closing): Promise<void> {
  const count = await env.db.execute(sql`
    update sys_proposal set state = ${state}, note = ${note}, change_set = ${changeSet}::int4, decided_at = now(),
      write_date = now(), write_uid = ${env.uid}::int4
    where id = ${id}::int4 and state = 'waiting' and version = ${version}::int4`);
  if (count === 0) throw decidedElsewhere();
}

interface Found {
  readonly problem: string;
  readonly now: Calculated | null;
}

async function keepProblem(kernel: Kernel, decider: Decider, row: ProposalRow, { problem, now }: Found): Promise<void> {
  await kernel.transact(
    decider.actor,
    (env) =>
      env.db.execute(sql`
        update sys_proposal set note = ${problem}, effect = coalesce(${now && toJson(now.effect)}, effect),
          basis = coalesce(${now && toJson(now.basis)}, basis), version = version + ${now ? 1 : 0}::int4, write_date = now()
        where id = ${row.id}::int4 and state = 'waiting' and version = ${row.version}::int4`),
    decider,
  );
}
