import { createDatabase, type PooledDatabase } from '@kontor/database';
import { type Kernel, type ModuleChange, upgradeModules } from '@kontor/kernel';
import { type Actor, type Env, type TypedEnv, typedEnv } from '@kontor/orm';
import { unpackAddon } from '@kontor/server/added';
import { openKernel } from './open-kernel.ts';
import { addonsOfRun } from './place.ts';
import { type Preparation, preparedDatabase } from './prepared-database.ts';
import { createTestDatabase } from './test-database.ts';

/** Options of the kernel: modules, demonstration data, settings. */
export interface TestKernelOptions extends Preparation {
  /** Further flags and environment for the configuration. */
  readonly env?: Readonly<Record<string, string>>;
  /** Writes never use the one-statement path. */
  readonly isOrdinary?: boolean;
  /**
   * A tarball of `kontor pack` with an earlier version of the addon: the kernel begins with it installed, and `upgrade` brings it to
   * the version of the folder.
   */
  readonly from?: string;
}

/** A kernel for one test file. */
export interface TestKernel {
  readonly kernel: Kernel;
  readonly dsn: string;
  readonly admin: Actor;
  /** A new user in the given groups, acting in the main company. */
  person(name: string, groups?: readonly string[], values?: Readonly<Record<string, unknown>>): Promise<Actor>;
  /** One unit of work in the administrator's name, or another's. */
  work<T>(run: (env: Env) => Promise<T>, actor?: Actor): Promise<T>;
  /** The same with a typed env, as in addon code. */
  act<T>(run: (env: TypedEnv) => Promise<T>, actor?: Actor): Promise<T>;
  /** A second kernel on the same database, as in another process; they share nothing else. */
  another(): Promise<Kernel>;
  /** Upgrades the modules to the current code; afterwards `kernel` and all others use it. */
  upgrade(): Promise<ModuleChange>;
  close(): Promise<void>;
}

/** A kernel on a new database, set up with a company and an administrator. */
export async function createTestKernel(options: TestKernelOptions = {}): Promise<TestKernel> {
  const earlier = options.from === undefined ? null : await unpackAddon(options.from);
  const addonsPath = options.addonsPath ?? addonsOfRun();
  const modules = options.modules ?? (earlier ? [earlier.name] : []);
  const begin = earlier ? { ...options, modules, addonsPath: [...addonsPath, earlier.folder] } : options;
  const template = await preparedDatabase(begin);
  const { database, dsn, drop } = await createTestDatabase({ template });
  let now: TestKernelOptions = begin;
  const kernelOn = (on: PooledDatabase): Promise<Kernel> => openKernel(on, { ...now, dsn });
  let kernel = await kernelOn(database);
  const others: { readonly kernel: Kernel; readonly database: PooledDatabase }[] = [];
  const another = async (): Promise<Kernel> => {
    const own = createDatabase({ dsn, maxConnections: 4 });
    const other = await kernelOn(own);
    others.push({ kernel: other, database: own });
    return other;
  };
  const upgrade = async (): Promise<ModuleChange> => {
    await kernel.close();
    now = { ...options, addonsPath };
    kernel = await kernelOn(database);
    return kernel.changeModules((context) => upgradeModules(context, modules));
  };
  const close = async (): Promise<void> => {
    for (const other of others) {
      await other.kernel.close();
      await other.database.close();
    }
    await kernel.close();
    await drop();
    await earlier?.remove();
  };
  const shared = {
    ...{ dsn, another, upgrade, close },
    get kernel() {
      return kernel;
    },
  };
  if (options.isSetUp === false)
    return Object.assign(shared, { admin: nobody, person: missing, work: missing, act: missing });
  const admin = (await kernel.actor(1)) as Actor;
  const work: TestKernel['work'] = async (run, actor = admin) => (await kernel.transact(actor, run)).result;
  const act: TestKernel['act'] = (run, actor) => work((env) => run(typedEnv(env)), actor);
  return Object.assign(shared, { admin, work, act, person: createPerson(() => kernel) });
}

const nobody: Actor = { uid: 0, groups: new Set(), companyId: null, companyIds: [], lang: 'en_US', tz: 'UTC' };
const missing = (): never => {
  throw new Error('This kernel has not been set up.');
};

function createPerson(current: () => Kernel): TestKernel['person'] {
  return async (name, groups = ['base.group_user'], values = {}) => {
    const kernel = current();
    const admin = (await kernel.actor(1)) as Actor;
    const { result: uid } = await kernel.transact(
      admin,
      async (env) =>
        env.model('core.user').create({
          name,
          login: `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.')}@example.com`,
          company_id: admin.companyId,
          company_ids: [['set', [admin.companyId]]],
          group_ids: [['set', await Promise.all(groups.map((group) => env.ref(group)))]],
          ...values,
        }),
      { isSudo: true },
    );
    return (await kernel.actor(uid)) as Actor;
  };
}
