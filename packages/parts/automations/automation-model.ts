import { BadValue, domainToSql, knownField, looseEnv, type Model, open, type Env as UntypedEnv } from '@kontor/orm';
import { type CallsOf, defineModel, type Env, type FieldsOf, fields } from '@kontor/orm/author';
import {
  conditionsIn,
  type Domain,
  didYouMean,
  KontorError,
  parseAuthoredDomain,
  text,
  ValidationError,
} from '@kontor/protocol';
import { type AutomationAction, parseAutomationAction } from './automation.ts';

const automationFields = {
  name: fields.char({ required: true, size: 200 }),
  model: fields.char({ required: true, size: 128, index: true, names: 'model' }),
  trigger: fields.selection(
    { create: 'On creation', write: 'On change', unlink: 'On deletion', cron: 'On schedule' },
    { required: true, default: 'write' },
  ),
  domain: fields.json({ names: 'domain', help: 'Which records it applies to. If empty, all.' }),
  before: fields.json({
    ...{ names: 'domain', label: 'Before the change' },
    help: 'Which records it applies to by their values before the change. If empty, all.',
  }),
  action: fields.text({ required: true, help: 'publish:<channel> or write:{"field": value}.' }),
  active: fields.boolean({ default: true }),
  module: fields.char({ size: 64, readonly: true }),
};
interface SysAutomation extends FieldsOf<typeof automationFields> {}
interface SysAutomationCalls extends CallsOf<typeof sysAutomation> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.automation': SysAutomation;
  }
  interface Calls {
    'sys.automation': SysAutomationCalls;
  }
}

export const sysAutomation = defineModel('sys.automation', {
  label: 'Automation',
  noCompany: 'Administrators alone manage it, for all companies together.',
  closedToAgents: true,
  order: 'model, id',
  fields: automationFields,
  actions: {
    /** Opens the records that match its conditions now, before it is switched on. */
    show_matching: {
      label: 'Show matching records',
      icon: 'list-filter',
      single: 'Choose one automation.',
      groups: ['base.group_system'],
      run: async ({ records }) => {
        const { model, domain } = await records.only('model', 'domain');
        return open(model, { view: 'list', domain: (domain ?? []) as Domain });
      },
    },
  },
  hooks: {
    async afterCreate({ env, ids }) {
      await checkAutomations(env, ids);
    },
    async afterWrite({ env, ids, values }) {
      if (['model', 'trigger', 'domain', 'before', 'action'].some((name) => name in values))
        await checkAutomations(env, ids);
    },
  },
});

/** An automation as stored. */
interface AutomationText {
  readonly model: string;
  readonly trigger: string;
  readonly domain: unknown;
  readonly before: unknown;
  readonly action: string;
}

/**
 * An automation that cannot run would fail in the middle of somebody else's work, so it is rejected when it is written.
 */
async function checkAutomations(env: Env, ids: readonly number[]): Promise<void> {
  const rows = await env.sudo().model('sys.automation').read(ids, ['model', 'trigger', 'domain', 'before', 'action']);
  for (const row of rows) checkAutomation(looseEnv(env.sudo()), row);
}

/** Throws a ValidationError if the current models cannot run it. */
export function checkAutomation(env: UntypedEnv, automation: AutomationText): void {
  const { model: name, trigger, domain, before, action } = automation;
  const model = env.registry.models.get(name);
  if (!model) {
    throw new ValidationError({
      model: [
        text('There is no model {model}.{hint}', { model: name, hint: didYouMean(name, env.registry.models.keys()) }),
      ],
    });
  }
  refuseAt('domain', () => domainToSql(env, model, parseAuthoredDomain(domain ?? []), 't'));
  if (hasConditions(before)) refuseAt('before', () => checkBefore(env, model, trigger, before));
  const parsed = refuseAt('action', () => parseAutomationAction(action));
  if (parsed.kind !== 'write') return;
  if (trigger === 'unlink') {
    throw new ValidationError({ action: ['A deleted record cannot be written; use publish.'] });
  }
  refuseAt('action', () => checkValues(model, parsed));
}

export function hasConditions(domain: unknown): boolean {
  return Array.isArray(domain) && domain.length > 0;
}

/** The values before a change are those of the record itself. */
function checkBefore(env: UntypedEnv, model: Model, trigger: string, domain: unknown): void {
  if (trigger !== 'write') throw new BadValue('Only a change has values before it.');
  const tree = parseAuthoredDomain(domain as never);
  domainToSql(env, model, tree, 't');
  for (const { path, operator } of conditionsIn(tree)) {
    const field = knownField(model, path[0] ?? '');
    if (path.length > 1 || field.column === null || operator === 'child_of' || operator === 'parent_of')
      throw new BadValue(`"${path.join('.')}" cannot be asked of the values before a change.`);
  }
}

function checkValues(model: Model, action: Extract<AutomationAction, { kind: 'write' }>): void {
  for (const [name, value] of Object.entries(action.values)) {
    const field = knownField(model, name);
    const isOwn = field.compute === null && field.related === null && !systemFields.has(name);
    if (!isOwn) throw new BadValue(`${model.name}.${name} cannot be written.`);
    if (value !== null) field.kind.cast(value, field);
    else if (field.required) throw new BadValue(`${model.name}.${name} is required.`);
  }
}

const systemFields: ReadonlySet<string> = new Set([
  'id',
  'display_name',
  'create_date',
  'create_uid',
  'write_date',
  'write_uid',
]);

/** An error is reported at its field. */
function refuseAt<T>(field: 'domain' | 'before' | 'action', check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof KontorError || error instanceof BadValue)
      throw new ValidationError({ [field]: [error.message] });
    throw error;
  }
}
