import { type Database, type Queryable, syncSchema } from '@kontor/database';
import {
  type AccessPolicy,
  type Actor,
  assembleRegistry,
  createEnv,
  type Env,
  type ModelDefinition,
  type ModuleModels,
  type Registry,
  tableSpecs,
} from '@kontor/orm';
import { createTestDatabase } from './test-database.ts';

const everything = { group: null, read: true, write: true, create: true, unlink: true } as const;

/** Access rights and users. */
export interface TestEnvOptions {
  /** Access and rules; absent: everyone may do everything. */
  readonly policy?: Partial<AccessPolicy>;
}

/** Models on a database, and envs of users on it. */
export interface TestWorld {
  readonly database: Database;
  readonly registry: Registry;
  readonly dsn: string;
  /** An env outside any transaction, under sudo. */
  readonly env: Env;
  /** An env for a user, on the given handle or outside any transaction. */
  as(actor: Partial<Actor>, db?: Queryable, policy?: Partial<AccessPolicy>): Env;
  /** One transaction as a user (under sudo if none is given); committed unless the work throws. */
  transact<T>(work: (env: Env) => Promise<T>, actor?: Partial<Actor>): Promise<T>;
  drop(): Promise<void>;
}

/** A database with the tables of the given models, and envs on it. */
export async function createTestEnv(
  definitions: readonly ModelDefinition[] | readonly ModuleModels[],
  options: TestEnvOptions = {},
): Promise<TestWorld> {
  const registry = assembleRegistry(asModules(definitions));
  const { database, dsn, drop } = await createTestDatabase();
  await database.transaction((tx) => syncSchema(tx, tableSpecs(registry)));
  const openPolicy: AccessPolicy = {
    access: new Map([...registry.models.keys()].map((name) => [name, [everything]])),
    rules: new Map(),
  };
  const as = (actor: Partial<Actor>, db: Queryable = database, policy = options.policy): Env =>
    createEnv({ registry, db, actor: testActor(actor), policy: { ...openPolicy, ...policy } });
  return {
    database,
    registry,
    dsn,
    env: as({}).sudo(),
    as,
    transact: (work, actor) => database.transaction((tx) => work(actor ? as(actor, tx) : as({}, tx).sudo())),
    drop,
  };
}

/** An actor for envs, by default without groups and company. */
export function testActor(actor: Partial<Actor> = {}): Actor {
  return {
    uid: 1,
    groups: new Set(),
    companyId: null,
    companyIds: [],
    lang: 'en_US',
    tz: 'UTC',
    ...actor,
  };
}

function asModules(definitions: readonly ModelDefinition[] | readonly ModuleModels[]): readonly ModuleModels[] {
  const [first] = definitions;
  if (first && 'definitions' in first) return definitions as readonly ModuleModels[];
  return [{ module: 'test', definitions: definitions as readonly ModelDefinition[] }];
}

/** True in `npm run test:long`, which runs all of the tests that `npm test` runs in part. */
export const isLong = process.env.KONTOR_TEST_LONG === '1';

/** The seed of random data: fixed in `npm test`, new in each long run, or the value of `KONTOR_TEST_SEED`. */
export const testSeed = Number(
  process.env.KONTOR_TEST_SEED ?? (isLong ? Math.floor(Math.random() * 2 ** 31) : 20_261_115),
);
