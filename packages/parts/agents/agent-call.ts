import {
  dispatch,
  type Kernel,
  type KeyScope,
  type RpcAnswer,
  type RpcCaller,
  readPurpose,
  rpcMethods,
  workState,
} from '@kontor/kernel';
import { type Change, type Env, type Model, toJson } from '@kontor/orm';
import { accessDenied, KontorError, type RpcRequest, text } from '@kontor/protocol';
import { notify } from '../events/notification.ts';
import type { HeldChanges, HeldOperation } from '../identity/key-scope.ts';
import { wordsFor } from '../identity/words-for.ts';
import { effectOf, gatherChanges, targetsOf } from './effect.ts';

export interface AgentCaller extends RpcCaller {
  readonly keyId: number;
  readonly agent: string;
  readonly held: HeldChanges | null;
  /** Who decides on held changes; null: the user of the key. */
  readonly approverId: number | null;
}

export interface AgentAnswer extends RpcAnswer {
  /** The proposal that was created instead of a change. */
  readonly proposal: number | null;
}

/** The screen with the proposals of agents. */
export const proposalsPath = '/web/proposals';

/** The maximum number of pending proposals per key; then the agent must wait. */
const maxWaiting = 200;

/** What every agent's key allows besides its scope: querying its rights and proposals, and undoing its own changes. */
const ownDoor: KeyScope = {
  'sys.reach': ['search_read'],
  'sys.proposal': ['search_read', 'read'],
  'sys.change.set': ['call'],
};

export function agentScope(scope: KeyScope | null): KeyScope | null {
  return scope === null ? null : { ...ownDoor, ...scope };
}

/** A call with the key of an agent: executed at once, or stored as a proposal if the key requires approval. */
export async function callAsAgent(kernel: Kernel, caller: AgentCaller, request: RpcRequest): Promise<AgentAnswer> {
  const method = rpcMethods.get(request.method);
  // The dialog of an action reveals what the action works on.
  if (request.method === 'onchange' && request.kwargs.action !== undefined)
    checkOpen(kernel.registry.model(request.model), 'write');
  if (!method || method.needs === 'read') return { ...(await dispatch(kernel, caller, request)), proposal: null };
  checkOpen(kernel.registry.model(request.model), method.needs);
  const isDryRun = request.kwargs.dry_run === true;
  if (!isDryRun && isNamed(caller.held, request)) return propose(kernel, caller, request);
  const guard = agentGuard((changes, env) => {
    if (!isDryRun && isTouched(env, caller.held, changes)) throw new HeldBack();
  });
  try {
    return { ...(await dispatch(kernel, { ...caller, guard }, request)), proposal: null };
  } catch (error) {
    if (error instanceof HeldBack) return propose(kernel, caller, request);
    throw error;
  }
}

/** The call needs approval: what it did so far is rolled back. */
class HeldBack extends KontorError {
  constructor() {
    // An import notes it for the person who opens it before they decide.
    super('ACCESS_DENIED', text('A person has to approve this first.'));
  }
}

/** Rejects what no agent may change, however it is reached. */
export function agentGuard(see: (changes: readonly Change[], env: Env) => void): NonNullable<RpcCaller['guard']> {
  return (env, changes) => {
    for (const { model, operation } of changes) checkOpen(env.registry.model(model), operation);
    see(changes, env);
  };
}

function checkOpen(
  model: { readonly name: string; readonly label: string; readonly isClosedToAgents?: boolean },
  operation: Change['operation'],
): void {
  if (!model.isClosedToAgents) return;
  throw accessDenied(model.name, operation, 'model', {
    message: text('Agents cannot change {model}. A person has to do that.', { model: model.label }),
  });
}

const operations: Readonly<Record<string, readonly HeldOperation[]>> = {
  create: ['create'],
  create_many: ['create'],
  write: ['write'],
  write_many: ['write'],
  unlink: ['unlink'],
  unlink_many: ['unlink'],
  call: ['call'],
};

function isNamed(held: HeldChanges | null, { model, method }: RpcRequest): boolean {
  return (operations[method] ?? []).some((operation) => isHeld(held, model, operation));
}

/** By its effect, whatever was called: a move counts as an action, even if a value, an import or an undo causes it. */
function isTouched(env: Env, held: HeldChanges | null, changes: readonly Change[]): boolean {
  return changes.some((change) => {
    const model = env.registry.model(change.model);
    if (model.quiet) return false;
    return (
      isHeld(held, change.model, change.operation) || (isMove(model, change) && isHeld(held, change.model, 'call'))
    );
  });
}

/** Whether a record changes its state, starts in a state that is not initial, or is archived or restored. */
function isMove({ states }: Model, { operation, values }: Change): boolean {
  if (operation === 'unlink') return false;
  const state = states ? values[states.field] : undefined;
  if (operation === 'create')
    return state !== undefined && state.new !== null && !states?.initial.has(String(state.new));
  return [state, values.active].some((change) => change !== undefined && change.old !== change.new);
}

function isHeld(held: HeldChanges | null, model: string, operation: HeldOperation): boolean {
  const lists = (name: string) =>
    held !== null && Object.hasOwn(held, name) && held[name]?.includes(operation) === true;
  return lists(model) || lists('*');
}

/** Runs the call, rolls it back, and stores its effect for the decision. */
async function propose(kernel: Kernel, caller: AgentCaller, request: RpcRequest): Promise<AgentAnswer> {
  const known = await proposedBefore(kernel, caller);
  if (known) return heldAnswer(known, []);
  const gathered = gatherChanges();
  const guard = agentGuard(gathered.see);
  const dryRun = { ...request, kwargs: { ...request.kwargs, dry_run: true } };
  const targets = await kernel.read(caller.actor, (env) => targetsOf(env, request));
  const dry = JSON.parse((await dispatch(kernel, { ...caller, guard, idempotency: null }, dryRun)).json) as DryAnswer;
  const isNothing = gathered.changes().length === 0 && gathered.said().length === 0 && !gathered.isFinal();
  if (isNothing) return runWithoutChange(kernel, caller, request);
  refuseSecrets(kernel, gathered.changes());
  const effect = toJson(effectOf(kernel.registry, gathered.changes()));
  const basis = toJson({ at: gathered.at(), targets, said: gathered.said() });
  const { task, reason } = readPurpose(request.kwargs);
  const make = async (env: Env): Promise<number> => {
    const waiting = await env.model('sys.proposal').count([
      ['key_id', '=', caller.keyId],
      ['state', '=', 'waiting'],
    ]);
    if (waiting >= maxWaiting) {
      throw new KontorError('USER_ERROR', text('{n} proposals are already waiting for a decision.', { n: waiting }));
    }
    // As the server: proposals cannot be written as records, or a user could approve what no agent asked for. The
    // caller learns only the number.
    const id = await env
      .sudo()
      .model('sys.proposal')
      .create({
        user_id: caller.approverId ?? caller.actor.uid,
        owner_id: caller.actor.uid,
        key_id: caller.keyId,
        agent: caller.agent,
        ...{ task, reason, model: request.model, method: request.method },
        request: JSON.stringify(request),
        effect,
        basis,
        is_final: gathered.isFinal(),
        request_key: caller.idempotency?.key ?? null,
      });
    await tellDecider(env, caller);
    return id;
  };
  const { requestId, address, via = null } = caller;
  const { result } = await kernel.transact(caller.actor, make, { requestId, address, via });
  return heldAnswer({ id: result, state: 'waiting' }, dry.changes);
}

/**
 * There is nothing to decide; if a repeated call would change something, because it became due meanwhile, it is
 * proposed.
 */
async function runWithoutChange(kernel: Kernel, caller: AgentCaller, request: RpcRequest): Promise<AgentAnswer> {
  const guard = agentGuard((changes, env) => {
    if (changes.length > 0 || (workState(env.work)?.said.length ?? 0) > 0) throw new HeldBack();
  });
  try {
    return { ...(await dispatch(kernel, { ...caller, guard }, request)), proposal: null };
  } catch (error) {
    if (error instanceof HeldBack) return propose(kernel, caller, request);
    throw error;
  }
}

interface DryAnswer {
  readonly changes: readonly unknown[];
}

/** A call that is repeated because its answer was lost is not proposed twice. */
async function proposedBefore(kernel: Kernel, { actor, keyId, idempotency }: AgentCaller) {
  if (!idempotency) return null;
  const [row] = await kernel.read(actor, (env) =>
    env.model('sys.proposal').searchRead(
      [
        ['key_id', '=', keyId],
        ['request_key', '=', idempotency.key],
      ],
      ['state'],
    ),
  );
  return row ? { id: row.id, state: String(row.state) } : null;
}

function heldAnswer(
  proposal: { readonly id: number; readonly state: string },
  changes: readonly unknown[],
): AgentAnswer {
  const { id, state } = proposal;
  return { json: toJson({ held: true, proposal: id, state, changes }), changeSet: null, canUndo: true, proposal: id };
}

/**
 * A proposal is stored for weeks and shown, so it must not contain passwords. Nobody is shown what happens to quiet models, such as
 * the links that e-mails to customers contain.
 */
function refuseSecrets({ registry }: Kernel, changes: readonly Change[]): void {
  for (const { model, values } of changes) {
    if (registry.model(model).quiet) continue;
    const field = Object.keys(values)
      .map((name) => registry.model(model).fields.get(name))
      .find((each) => each?.spec.secret);
    if (!field) continue;
    throw accessDenied(model, 'write', 'field', {
      message: text('{field} is secret. A person has to set it.', { field: field.label }),
      field: field.name,
    });
  }
}

/** One notification while it is unread, however many proposals there are by then. */
async function tellDecider(env: Env, { actor, agent, approverId }: AgentCaller): Promise<void> {
  const decider = approverId ?? actor.uid;
  // As the server: the caller may not read notifications of others; nothing is revealed.
  const known = await env
    .sudo()
    .model('sys.notification')
    .count([
      ['user_id', '=', decider],
      ['href', '=', proposalsPath],
      ['read_at', '=', null],
    ]);
  if (known > 0) return;
  const { say } = await wordsFor(env, decider, 'base');
  await notify(env, decider, {
    kind: 'info',
    title: say(text('{agent} proposes changes', { agent })),
    body: say(text('Nothing has happened yet. The decision is yours.')),
    href: proposalsPath,
  });
}
