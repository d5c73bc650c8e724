import { type Actor, type Change, type Env, mayReadEverywhere, type Scope, toJson } from '@kontor/orm';
import { didYouMean, invalidArgs, KontorError, type RecordChange, type RpcRequest } from '@kontor/protocol';
import type { Kernel } from '../kernel.ts';
import { dropKey, type KeptAnswer, keepAnswer, takeKey } from '../work/idempotency.ts';
import { noPurpose, type Purpose } from '../work/keep-rows.ts';
import type { WorkOptions } from '../work/work-context.ts';
import { workState } from '../work/work-state.ts';
import { type KeyScope, scopeOf } from './key-scope.ts';
import { RawJson, type RpcMethod, readFlag, rpcMethods } from './methods.ts';

export interface RpcCaller {
  readonly actor: Actor;
  /** The scope of the API key, by model; null: everything its owner may do. */
  readonly scope: KeyScope | null;
  readonly requestId: string;
  /** The IP address of the call. */
  readonly address: string;
  /** The session or key of the call. */
  readonly via?: string;
  /** The agent that uses the key. */
  readonly agent?: string | null;
  /** Sees all changes of the call before they are stored. */
  readonly guard?: WorkOptions['guard'];
  /** Runs last in the transaction of a call without an idempotency key. */
  readonly beforeCommit?: WorkOptions['beforeCommit'];
  readonly idempotency: { readonly key: string; readonly bodyHash: string } | null;
  /** WAL position of the caller's last change, for reads that may go to the replica. */
  readonly lastWrite: string | null;
}

export interface RpcAnswer {
  /** The result as JSON text. */
  readonly json: string;
  readonly changeSet: number | null;
  /** Whether the change set can be undone. */
  readonly canUndo: boolean;
}

/** Runs one call as the caller: the allowlist, the key's scope, the arguments, then the method. */
export async function dispatch(kernel: Kernel, caller: RpcCaller, request: RpcRequest): Promise<RpcAnswer> {
  const method = rpcMethods.get(request.method);
  if (!method) {
    throw new KontorError(
      'METHOD_NOT_ALLOWED',
      `The method ${JSON.stringify(request.method.slice(0, 100))} is not served.`,
      {
        method: request.method.slice(0, 100),
      },
    );
  }
  kernel.registry.model(request.model);
  const scope = scopeOf(caller.scope, method, request);
  checkShape(method, request);
  try {
    return method.needs === 'read'
      ? await runRead(kernel, { caller, method, request, scope })
      : await runChange(kernel, { caller, method, request, scope });
  } catch (error) {
    if (error instanceof KontorError && error.code === 'INVALID_ARGS') {
      throw invalidArgs(error.message, { method: request.method, ...error.details });
    }
    throw error;
  }
}

interface Call {
  readonly caller: RpcCaller;
  readonly method: RpcMethod;
  readonly request: RpcRequest;
  readonly scope: Scope | null;
}

function runOn(env: Env, method: RpcMethod, { model, args, kwargs }: RpcRequest): Promise<unknown> {
  return method.run(env.model(model), args, kwargs, { env, model: env.registry.model(model) });
}

async function runRead(kernel: Kernel, { caller, method, request, scope }: Call): Promise<RpcAnswer> {
  const result = await kernel.read(caller.actor, (env) => runOn(env, method, request), {
    isOutside: true,
    scope,
    // Virtual models count transactions of the primary.
    replica:
      method.mayUseReplica && !kernel.registry.model(request.model).served ? { lastWrite: caller.lastWrite } : null,
  });
  return { json: resultJson(result), changeSet: null, canUndo: true };
}

async function runChange(kernel: Kernel, { caller, method, request, scope }: Call): Promise<RpcAnswer> {
  const isDryRun = readFlag(request.kwargs.dry_run, 'dry_run');
  const run = (env: Env) => runOn(env, method, request);
  const { requestId, address, via = null, guard } = caller;
  const purpose = readPurpose(request.kwargs, caller.agent ?? null);
  const options = { isOutside: true, scope, isDryRun, requestId, address, via, purpose, ...(guard && { guard }) };
  if (isDryRun) {
    let dry: DryChanges = { all: [], seen: new Set() };
    const { result } = await kernel.transact(caller.actor, run, {
      ...options,
      beforeCommit: async (env) => {
        dry = await seenChanges(env);
      },
    });
    const changes = await kernel.read(caller.actor, (env) => visibleChanges(env, dry), { isOutside: true, scope });
    return {
      json: `{"dry_run":true,"result":${resultJson(result)},"changes":${toJson(changes)}}`,
      changeSet: null,
      canUndo: true,
    };
  }
  const { beforeCommit, idempotency: once } = caller;
  // A check of the changes before they are stored needs a transaction.
  const change = guard || beforeCommit ? null : (method.atOnce?.(request.args, request.kwargs) ?? null);
  const done = change && (await kernel.changeAtOnce(caller.actor, request.model, change, { ...options, once }));
  if (done) {
    const json = change.operation === 'create' ? String(done.id) : 'true';
    return { json, changeSet: done.changeSet, canUndo: true };
  }
  if (once) return runOnce(kernel, caller, run, options);
  const { result, ...kept } = await kernel.transact(caller.actor, run, {
    ...options,
    ...(beforeCommit && { beforeCommit }),
  });
  return { json: resultJson(result), changeSet: kept.changeSet, canUndo: kept.canUndo };
}

/** The same key and body return the first answer again, in any process. */
async function runOnce(
  kernel: Kernel,
  caller: RpcCaller,
  run: (env: Env) => Promise<unknown>,
  options: WorkOptions,
): Promise<RpcAnswer> {
  const { key, bodyHash } = caller.idempotency as NonNullable<RpcCaller['idempotency']>;
  let keptId: number | null = null;
  const { result, changeSet, canUndo } = await kernel.transact(
    caller.actor,
    async (env): Promise<KeptAnswer> => {
      const taken = await takeKey(env, key, bodyHash);
      keptId = taken.kept ? null : taken.id;
      return taken.kept ?? { json: resultJson(await run(env)), changeSet: null, canUndo: true };
    },
    {
      ...options,
      beforeCommit: async (env, { result: answer, changeSet: made }) => {
        if (keptId === null) return;
        // A rejection is not stored: the next call with the key runs.
        if (workState(env.work)?.refusal) return dropKey(env, keptId);
        // A secret is returned once: a repeated call learns only that it was done.
        const json = workState(env.work)?.tellsSecret ? 'true' : (answer as KeptAnswer).json;
        await keepAnswer(env, keptId, { json, changeSet: made, canUndo: env.work.canUndo });
      },
    },
  );
  return { json: result.json, changeSet: changeSet ?? result.changeSet, canUndo: canUndo && result.canUndo };
}

function checkShape(method: RpcMethod, { method: name, args, kwargs }: RpcRequest): void {
  const needed = method.args.filter((arg) => !arg.endsWith('?')).length;
  if (!method.isVariadic && (args.length < needed || args.length > method.args.length)) {
    throw invalidArgs(`${name} takes [${method.args.join(', ')}].`, { method: name, field: 'args' });
  }
  for (const key of Object.keys(kwargs)) {
    const known = method.needs === 'read' ? method.kwargs : [...method.kwargs, ...Object.keys(purposeSizes)];
    if (known.includes(key)) continue;
    throw invalidArgs(`${name} takes no ${JSON.stringify(key)} in kwargs.`, {
      method: name,
      field: key,
      hint: didYouMean(key, known).trim() || `It takes: ${known.join(', ') || 'none'}.`,
    });
  }
}

/** Optional properties of every changing call, and their maximum length. */
const purposeSizes = { task: 120, reason: 500 } as const;

/** The task of a changing call, and its reason. */
export function readPurpose(kwargs: RpcRequest['kwargs'], agent: string | null = null): Purpose {
  const { task, reason } = kwargs;
  if ((task ?? reason ?? null) === null) return agent === null ? noPurpose : { ...noPurpose, agent };
  return { agent, task: readWords('task', task), reason: readWords('reason', reason) };
}

function readWords(name: keyof typeof purposeSizes, value: unknown): string | null {
  const size = purposeSizes[name];
  if ((value ?? null) === null) return null;
  if (typeof value === 'string' && value.trim() !== '' && value.length <= size) return value.trim();
  throw invalidArgs(`${name} must be a text of 1 to ${size} characters.`, { field: name });
}

function resultJson(result: unknown): string {
  return result instanceof RawJson ? result.text : toJson(result);
}

interface DryChanges {
  readonly all: readonly Change[];
  /** Those of records that the caller may read in their final state. */
  readonly seen: ReadonlySet<Change>;
}

/** The effect of a dry run, before it is rolled back. */
async function seenChanges(env: Env): Promise<DryChanges> {
  const all = env.work.changes.filter((change) => !env.registry.model(change.model).quiet);
  return {
    all,
    seen: await changesOfReadable(
      env,
      all.filter((change) => change.operation !== 'unlink'),
    ),
  };
}

/**
 * The effect of a dry run, without models, records and fields that the caller may not read. Deleted records exist again
 * by now, so that rules can be evaluated on them.
 */
async function visibleChanges(env: Env, { all, seen }: DryChanges): Promise<readonly RecordChange[]> {
  const gone = await changesOfReadable(
    env,
    all.filter((change) => change.operation === 'unlink'),
  );
  return all
    .filter((change) => seen.has(change) || gone.has(change))
    .map((change) => {
      const { model, id, operation } = change;
      return { model, id, operation, values: readableValues(env, change) };
    });
}

async function changesOfReadable(env: Env, changes: readonly Change[]): Promise<ReadonlySet<Change>> {
  const readable = new Set<Change>();
  for (const [model, own] of groupByModel(changes)) {
    const ids = await readableIds(env, model, own);
    for (const change of own) if (ids.has(change.id)) readable.add(change);
  }
  return readable;
}

function groupByModel(changes: readonly Change[]): Map<string, Change[]> {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const own = groups.get(change.model);
    if (own) own.push(change);
    else groups.set(change.model, [change]);
  }
  return groups;
}

/** Ids that the caller may read now; none if they may not read the model. */
async function readableIds(env: Env, model: string, changes: readonly Change[]): Promise<ReadonlySet<number>> {
  const ids = [...new Set(changes.map((change) => change.id))];
  try {
    return new Set(await env.model(model).search([['id', 'in', ids]]));
  } catch (error) {
    if (error instanceof KontorError && error.code === 'ACCESS_DENIED') return new Set();
    throw error;
  }
}

function readableValues(env: Env, change: Change): Change['values'] {
  const { fields } = env.registry.model(change.model);
  const open = Object.entries(change.values).filter(([name]) => {
    const field = fields.get(name);
    return field !== undefined && mayReadEverywhere(env, field);
  });
  return Object.fromEntries(open);
}
