import type { CreateValues } from '@kontor/addon';
import { type Kernel, systemActor } from '@kontor/kernel';
import { type Actor, typedEnv } from '@kontor/orm';
import { workOff } from '@kontor/parts';
import { createTestKernel, type TestKernel } from '@kontor/testing';

/** The parts of `when` may stand beside the other values. */
export type RuleValues = Readonly<Record<string, unknown>>;

const parts = ['trigger', 'field', 'from', 'to', 'offset', 'unit', 'side', 'at', 'every', 'fields', 'match'];

function valuesOf(given: RuleValues): CreateValues<'automation.rule'> {
  const when = Object.entries(given).filter(([name]) => parts.includes(name));
  const others = Object.entries(given).filter(([name]) => !parts.includes(name));
  const all = { trigger: 'create', ...Object.fromEntries(when) };
  return { name: 'Rule', model: 'crm.lead', when: all, ...Object.fromEntries(others) };
}

export interface AutomationWorld extends TestKernel {
  /** A customiser who works as a salesperson. */
  readonly author: Actor;
  rule(values: RuleValues, actor?: Actor): Promise<number>;
  /** A rule that is switched on. */
  active(values: RuleValues, actor?: Actor): Promise<number>;
  lead(values?: object, actor?: Actor): Promise<number>;
  change(id: number, values: object, actor?: Actor): Promise<void>;
  read(id: number, paths: readonly string[]): Promise<Readonly<Record<string, unknown>>>;
  /** Runs everything that waits now. */
  runAll(kernel?: Kernel): Promise<void>;
  /** Does what a job does once. */
  job(name: 'take_due' | 'clean_runs'): Promise<void>;
  runs(ruleId: number): Promise<readonly Readonly<Record<string, unknown>>[]>;
  state(ruleId: number): Promise<Readonly<Record<string, unknown>>>;
  /** Everything that waits for another try is due. */
  makeDue(): Promise<void>;
  removeRules(): Promise<void>;
}

export async function automationWorld(env: Readonly<Record<string, string>> = {}): Promise<AutomationWorld> {
  const world = await createTestKernel({ modules: ['automations', 'crm'], env });
  const author = await world.person('Avery Author', ['base.group_customise', 'crm.group_manager']);
  const rule: AutomationWorld['rule'] = (values, actor = world.admin) =>
    world.act((typed) => typed.model('automation.rule').create(valuesOf(values)), actor);
  return {
    ...world,
    author,
    rule,
    async active(values, actor = world.admin) {
      const id = await rule(values, actor);
      await world.act((typed) => typed.model('automation.rule').call([id], 'switch_on'), actor);
      return id;
    },
    lead: (values = {}, actor = world.admin) =>
      world.work((loose) => loose.model('crm.lead').create({ name: 'A lead', ...values }), actor),
    change: async (id, values, actor = world.admin) =>
      void (await world.work((loose) => loose.model('crm.lead').write([id], { ...values }), actor)),
    read: async (id, paths) => (await world.work((loose) => loose.model('crm.lead').read([id], paths)))[0] ?? {},
    runAll: async (kernel = world.kernel) => {
      const [queue] = kernel.loaded.definitions.get('automations')?.queues ?? [];
      if (!queue) throw new Error('There is no queue.');
      await workOff(kernel, { ...queue, name: 'automations.run' });
    },
    job: async (name) => {
      const jobs = world.kernel.loaded.definitions.get('automations')?.jobs ?? [];
      const job = jobs.find((each) => each.name === name);
      if (!job || !('runInSteps' in job)) throw new Error('There is no such job.');
      await job.runInSteps({
        ...{ cronId: 0, signal: new AbortController().signal },
        step: async (work) =>
          (await world.kernel.transact(systemActor, (loose) => work(typedEnv(loose)), { isSudo: true })).result,
      });
    },
    runs: (ruleId) =>
      world.work((loose) =>
        loose.model('automation.run').searchRead([['rule_id', '=', ruleId]], undefined, { order: 'id' }),
      ),
    state: async (ruleId) =>
      (
        await world.work((loose) =>
          loose.model('automation.rule').read([ruleId], ['state', 'paused_for', 'author_id', 'next_at']),
        )
      )[0] ?? {},
    makeDue: async () =>
      world.work(async (loose) => {
        const runs = loose.sudo().model('automation.run');
        await runs.write(await runs.search([['state', '=', 'waiting']]), { next_try: new Date(0).toISOString() });
      }),
    removeRules: async () =>
      world.work(async (loose) => {
        const rules = loose.sudo().model('automation.rule');
        await rules.unlink(await rules.search([]));
      }),
  };
}
