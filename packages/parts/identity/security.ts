import { domainToSql, looseEnv, namesMissingField } from '@kontor/orm';
import { defineModel, type Env, type FieldsOf, fields } from '@kontor/orm/author';
import { KontorError, parseAuthoredDomain, text, UserError, ValidationError } from '@kontor/protocol';
import { checkLastAdmin } from './administrators.ts';

const groupFields = {
  name: fields.char({ required: true, size: 200, translated: true }),
  key: fields.char({ required: true, unique: true, size: 128, help: 'Technical name, such as base.group_user.' }),
  implied_ids: fields.many2many('core.group', {
    label: 'Implies',
    through: { table: 'core_group_implied_rel', own: 'group_id', other: 'implied_id' },
  }),
  implied_by_ids: fields.many2many('core.group', {
    label: 'Implied by',
    copy: false,
    inverse: 'implied_ids',
  }),
  user_ids: fields.many2many('core.user', {
    label: 'Users',
    inverse: 'group_ids',
  }),
  access_ids: fields.one2many('sys.access', 'group_id', { label: 'Access rights', groups: ['base.group_system'] }),
  rule_ids: fields.many2many('sys.rule', {
    label: 'Record rules',
    copy: false,
    groups: ['base.group_system'],
    inverse: 'group_ids',
  }),
  requires_factor: fields.boolean({
    label: 'Two factors required',
    help: 'Members, and members of groups that imply it, must set up a second factor at their next sign-in.',
  }),
  is_away: fields.boolean({
    label: 'App not installed',
    readonly: true,
    copy: false,
    help: 'The group came with an app that is not installed. Its rights and rules are off until the app is installed again.',
  }),
  comment: fields.text({ label: 'Note', translated: true }),
};

interface CoreGroup extends FieldsOf<typeof groupFields> {}
declare module '@kontor/orm' {
  interface Models {
    'core.group': CoreGroup;
  }
}

export const coreGroup = defineModel('core.group', {
  label: 'Group',
  noCompany: 'Rights are managed for all companies together.',
  closedToAgents: true,
  order: 'name, id',
  fields: groupFields,
  hooks: {
    async afterWrite({ env }) {
      await checkLastAdmin(env);
    },
    async beforeUnlink({ env, ids }) {
      await checkRulesKeepGroups(env, ids);
    },
    async afterUnlink({ env }) {
      await checkLastAdmin(env);
    },
  },
});

/** A rule without groups applies to everyone, so the last group of a rule cannot be deleted while the rule exists. */
async function checkRulesKeepGroups(env: Env, ids: readonly number[]): Promise<void> {
  const rules = await env
    .sudo()
    .model('sys.rule')
    .searchRead([['group_ids', 'in', ids]], ['name', 'group_ids']);
  const rule = rules.find(({ group_ids }) => group_ids.every((id) => ids.includes(id)));
  if (!rule) return;
  throw new UserError(
    text('The record rule "{rule}" applies to this group only, and would apply to everyone without it.', {
      rule: rule.name,
    }),
  );
}

/** Whether a right is in force. */
const states = {
  on: 'In force',
  off: 'Switched off',
  group_away: 'Off: the app of its group is not installed',
  model_away: 'Off: the app of its model or fields is not installed',
} as const;

const accessFields = {
  name: fields.char({ required: true, size: 200 }),
  model: fields.char({ required: true, size: 128, index: true, names: 'model' }),
  group_id: fields.many2one('core.group', { ondelete: 'cascade', help: 'If empty, every signed-in user.' }),
  perm_read: fields.boolean({ label: 'Read' }),
  perm_write: fields.boolean({ label: 'Write' }),
  perm_create: fields.boolean({ label: 'Create' }),
  perm_unlink: fields.boolean({ label: 'Delete' }),
  state: fields.selection(states, { computed: true, label: 'Status' }),
};
export interface SysAccess extends FieldsOf<typeof accessFields> {}

const ruleFields = {
  name: fields.char({ required: true, size: 200, translated: true }),
  model: fields.char({ required: true, size: 128, index: true, names: 'model' }),
  domain: fields.json({ required: true, names: 'domain' }),
  group_ids: fields.many2many('core.group', {
    label: 'Groups',
    help: 'If empty, the rule is global.',
    through: { table: 'sys_rule_group_rel', own: 'rule_id', other: 'group_id' },
  }),
  active: fields.boolean({ default: true }),
  perm_read: fields.boolean({ label: 'Read', default: true }),
  perm_write: fields.boolean({ label: 'Write', default: true }),
  perm_create: fields.boolean({ label: 'Create', default: true }),
  perm_unlink: fields.boolean({ label: 'Delete', default: true }),
  state: fields.selection(states, { computed: true, label: 'Status' }),
};
export interface SysRule extends FieldsOf<typeof ruleFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.access': SysAccess;
    'sys.rule': SysRule;
  }
}

export const sysAccess = defineModel('sys.access', {
  label: 'Access right',
  noCompany: 'Rights are managed for all companies together.',
  closedToAgents: true,
  ownRules: 'Administrators alone read and change rights, of whatever group.',
  order: 'model, id',
  fields: accessFields,
  computes: {
    state: {
      depends: ['model', 'group_id.is_away'],
      value: ({ model, group_id }, { registry }) => {
        if (!registry.models.has(model ?? '')) return 'model_away';
        return group_id?.is_away ? 'group_away' : 'on';
      },
    },
  },
  hooks: {
    async afterCreate({ env, ids }) {
      await checkModels(env, 'sys.access', ids);
    },
    async afterWrite({ env, ids, values }) {
      if ('model' in values) await checkModels(env, 'sys.access', ids);
    },
  },
});

export const sysRule = defineModel('sys.rule', {
  label: 'Record rule',
  noCompany: 'Rights are managed for all companies together.',
  closedToAgents: true,
  order: 'model, id',
  fields: ruleFields,
  computes: {
    state: {
      depends: ['active', 'model', 'domain', 'group_ids.is_away'],
      value: ({ active, model, domain, group_ids }, { registry }) => {
        if (!active) return 'off';
        if (group_ids.length > 0 && group_ids.every(({ is_away }) => is_away)) return 'group_away';
        return isMissing(registry, model, domain) ? 'model_away' : 'on';
      },
    },
  },
  hooks: {
    async afterCreate({ env, ids }) {
      await checkRules(env, ids);
    },
    async afterWrite({ env, ids, values }) {
      if ('model' in values || 'domain' in values) await checkRules(env, ids);
    },
  },
});

function isMissing(registry: Parameters<typeof namesMissingField>[0], name: string | null, domain: unknown): boolean {
  const model = registry.models.get(name ?? '');
  return model === undefined || namesMissingField(registry, model, parseAuthoredDomain(domain));
}

async function checkModels(env: Env, name: 'sys.access' | 'sys.rule', ids: readonly number[]): Promise<void> {
  for (const row of await env.sudo().model(name).read(ids, ['model'])) {
    if (!env.registry.models.has(row.model)) {
      throw new ValidationError({ model: [text('There is no model {model}.', { model: row.model })] });
    }
  }
}

/** A rule that does not compile would lock everyone out at the next read, so it is rejected when it is written. */
async function checkRules(env: Env, ids: readonly number[]): Promise<void> {
  await checkModels(env, 'sys.rule', ids);
  for (const rule of await env.sudo().model('sys.rule').read(ids, ['model', 'domain'])) {
    try {
      domainToSql(looseEnv(env.sudo()), env.registry.model(rule.model), parseAuthoredDomain(rule.domain), 't');
    } catch (error) {
      if (error instanceof KontorError) throw new ValidationError({ domain: [error.message] });
      throw error;
    }
  }
}
