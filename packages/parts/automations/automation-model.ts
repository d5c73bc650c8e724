import { BadValue, domainToSql, knownField, looseEnv, type Model, type Env as UntypedEnv } from '@kontor/orm';
import { defineModel, type Env, type FieldsOf, fields } from '@kontor/orm/author';
import { didYouMean, KontorError, parseAuthoredDomain, text, ValidationError } from '@kontor/protocol';
import { type AutomationAction, parseAutomationAction } from './automation.ts';

const automationFields = {
  name: fields.char({ required: true, size: 200 }),
  model: fields.char({ required: true, size: 128, index: true, names: 'model' }),
  trigger: fields.selection(
    { create: 'On creation', write: 'On change', unlink: 'On deletion', cron: 'On schedule' },
    { required: true, default: 'write' },
  ),
  domain: fields.json({ names: 'domain', help: 'Which records it applies to. If empty, all.' }),
  action: fields.text({ required: true, help: 'publish:<channel> or write:{"field": value}.' }),
  active: fields.boolean({ default: true }),
  module: fields.char({ size: 64, readonly: true }),
};
interface SysAutomation extends FieldsOf<typeof automationFields> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.automation': SysAutomation;
  }
}

export const sysAutomation = defineModel('sys.automation', {
  label: 'Automation',
  noCompany: 'Administrators alone manage it, for all companies together.',
  closedToAgents: true,
  order: 'model, id',
  fields: automationFields,
  hooks: {
    async afterCreate({ env, ids }) {
      await checkAutomations(env, ids);
    },
    async afterWrite({ env, ids, values }) {
      if (['model', 'trigger', 'domain', 'action'].some((name) => name in values)) await checkAutomations(env, ids);
    },
  },
});

/** An automation as stored. */
interface AutomationText {
  readonly model: string;
  readonly trigger: string;
  readonly domain: unknown;
  readonly action: string;
}

/**
 * An automation that cannot run would fail in the middle of somebody else's work, so it is rejected when it is written.
 */
async function checkAutomations(env: Env, ids: readonly number[]): Promise<void> {
  const rows = await env.sudo().model('sys.automation').read(ids, ['model', 'trigger', 'domain', 'action']);
  for (const row of rows) checkAutomation(looseEnv(env.sudo()), row);
}

/** Throws a ValidationError if the current models cannot run it. */
export function checkAutomation(env: UntypedEnv, { model: name, trigger, domain, action }: AutomationText): void {
  const model = env.registry.models.get(name);
  if (!model) {
    throw new ValidationError({
      model: [
        text('There is no model {model}.{hint}', { model: name, hint: didYouMean(name, env.registry.models.keys()) }),
      ],
    });
  }
  refuseAt('domain', () => domainToSql(env, model, parseAuthoredDomain(domain ?? []), 't'));
  const parsed = refuseAt('action', () => parseAutomationAction(action));
  if (parsed.kind !== 'write') return;
  if (trigger === 'unlink') {
    throw new ValidationError({ action: ['A deleted record cannot be written; use publish.'] });
  }
  refuseAt('action', () => checkValues(model, parsed));
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
function refuseAt<T>(field: 'domain' | 'action', check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof KontorError || error instanceof BadValue)
      throw new ValidationError({ [field]: [error.message] });
    throw error;
  }
}
