import type { Queryable } from '@kontor/database';
import { domainTree, invalidArgs } from '@kontor/protocol';
import { checkModelAccess } from './access/model-access.ts';
import { visitorRights } from './access/visitor.ts';
import { callAction, proposeAnswers } from './actions/call-action.ts';
import { onchange } from './drafts/onchange.ts';
import { findRecord } from './external-ids.ts';
import { toJson } from './fields/to-json.ts';
import type { Env, Model, Registry, ServedModel } from './model/model.ts';
import type { AccessPolicy, Actor, Scope } from './model/policy.ts';
import type { Records } from './model/records.ts';
import { createUnitOfWork, type UnitOfWork } from './model/unit-of-work.ts';
import { answerTooLarge, budgets } from './reading/budgets.ts';
import { checkIds } from './reading/check-records.ts';
import { load } from './reading/load.ts';
import { read, readJson } from './reading/read.ts';
import { readGroup } from './reading/read-group.ts';
import { count, search } from './reading/search.ts';
import { searchRead, searchReadJson } from './reading/search-read.ts';
import { copy } from './writing/copy.ts';
import { createMany } from './writing/create-many.ts';
import { unlink } from './writing/unlink.ts';
import { write, writeEach } from './writing/write.ts';

export interface EnvOptions {
  readonly registry: Registry;
  readonly db: Queryable;
  readonly actor: Actor;
  readonly policy: AccessPolicy;
  readonly isSudo?: boolean;
  readonly isOutside?: boolean;
  readonly scope?: Scope | null;
  readonly now?: Date;
  readonly work?: UnitOfWork;
  readonly isDryRun?: boolean;
}

/** A handle to data for an actor. Envs derived from one another share the transaction, the clock and the unit of work. */
export function createEnv(options: EnvOptions): Env {
  const { registry, db, actor, policy, isSudo = false, isOutside = false, scope = null } = options;
  const { now = new Date(), work = createUnitOfWork(options.isDryRun) } = options;
  /** Most reads need no other env, so it is created on demand. */
  const other = (changed: Partial<EnvOptions>): Env => createEnv({ ...options, now, work, ...changed });
  const known = new Map<string, Records>();
  let asServer: Env | undefined;
  const env: Env = {
    registry,
    db: isOutside ? boundAnswers(db) : db,
    actor,
    uid: actor.uid,
    policy,
    isSudo,
    isOutside,
    // It limits what a caller names, not what server code then does.
    scope: isOutside && !isSudo ? scope : null,
    work,
    now,
    model(name) {
      const records = known.get(name) ?? recordsOf(env, registry.model(name));
      known.set(name, records);
      return records;
    },
    sudo() {
      // Server code that uses sudo is not an external caller, whoever it serves.
      asServer ??= isSudo && !isOutside ? env : other({ isSudo: true, isOutside: false });
      return asServer;
    },
    inLanguage: (lang) => other({ registry: registry.inLanguage(lang) }),
    as: (another) => other({ actor: another, isSudo: false }),
    visiting: (visitor) => other({ ...visitorRights(registry, visitor), isSudo: false, isOutside: true }),
    outside: (outside) => (outside === isOutside ? env : other({ isOutside: outside })),
    ref: (externalId) => findRecord(env, externalId),
  };
  return env;
}

const bounds = { maxBytes: budgets.bytes, tooLarge: answerTooLarge };
const boundedOf = new WeakMap<Queryable, Queryable>();

/** An external caller gets one answer, so none of their statements may return more than fits. */
function boundAnswers(db: Queryable): Queryable {
  const known = boundedOf.get(db);
  if (known) return known;
  const bounded: Pick<Queryable, 'arrays' | 'json'> = {
    arrays: (statement) => db.arrays(statement, bounds),
    json: (statement, shape) => db.json(statement, shape, bounds),
  };
  const made = Object.assign(Object.create(db) as Queryable, bounded);
  boundedOf.set(db, made);
  return made;
}

function recordsOf(env: Env, model: Model): Records {
  const { served } = model;
  return served && env.isOutside && !env.isSudo ? servedRecords(env, model, served) : storedRecords(env, model);
}

function servedRecords(env: Env, model: Model, served: ServedModel): Records {
  const searchRead: Records['searchRead'] = async (domain, fields, options = {}) => {
    checkModelAccess(env, model, 'read');
    return [...(await served.read(env, { domain: domainTree(domain), fields, options }))];
  };
  const createMany: Records['createMany'] = async (rows) => {
    checkModelAccess(env, model, 'create');
    if (!served.create) return refuse();
    return [...(await served.create(env, rows))];
  };
  const refuse = async (): Promise<never> => {
    checkModelAccess(env, model, 'read');
    throw invalidArgs(`${model.name} is read with search_read.`, { field: 'method' });
  };
  return {
    searchRead,
    searchReadJson: async (...asked) => toJson(await searchRead(...asked)),
    createMany,
    create: async (values) => (await createMany([values]))[0] as number,
    async unlink(ids) {
      checkModelAccess(env, model, 'unlink');
      if (!served.unlink) return refuse();
      await served.unlink(env, checkIds(model, ids));
      return true;
    },
    ...{ search: refuse, count: refuse, read: refuse, readJson: refuse, readGroup: refuse, load: refuse },
    ...{ write: refuse, writeEach: refuse, copy: refuse, onchange: refuse, proposeAnswers: refuse, call: refuse },
  };
}

function storedRecords(env: Env, model: Model): Records {
  return {
    search: (domain, options) => search(env, model, domain, options),
    count: (domain) => count(env, model, domain),
    searchRead: (domain, projection, options) => searchRead(env, model, domain, projection, options),
    searchReadJson: (domain, projection, options) => searchReadJson(env, model, domain, projection, options),
    read: (ids, projection) => read(env, model, ids, projection),
    readJson: (ids, projection) => readJson(env, model, ids, projection),
    readGroup: (spec) => readGroup(env, model, spec),
    load: (ids, paths, options) => load(env, model, ids, paths, options),
    create: async (values) => (await createMany(env, model, [values]))[0] as number,
    createMany: (values, options) => createMany(env, model, values, options),
    write: (ids, values, options) => write(env, model, ids, values, options),
    writeEach: (rows, options) => writeEach(env, model, rows, options),
    unlink: (ids, options) => unlink(env, model, ids, options),
    copy: (id, overrides) => copy(env, model, id, overrides),
    onchange: (values, changed, options) => onchange(env, model, values, changed, options),
    proposeAnswers: (ids, action, given = {}) => proposeAnswers(env, model, action, ids, given),
    call: (ids, action, answers) => callAction(env, model, ids, action, answers),
  };
}
