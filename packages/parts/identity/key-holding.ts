import { type ActionCall, type Env, fields } from '@kontor/orm/author';
import { accessDenied, text, ValidationError } from '@kontor/protocol';
import { type HeldChanges, type HeldOperation, toHeld } from './key-scope.ts';

const all: readonly HeldOperation[] = ['create', 'write', 'unlink', 'call'];
const grave: readonly HeldOperation[] = ['unlink', 'call'];

const asks = {
  holding: fields.selection(
    {
      all: 'All need approval',
      grave: 'Deletions and actions need approval',
      some: 'Changes to some models need approval',
      none: 'All are applied at once',
    },
    { label: 'Its changes', required: true },
  ),
  models: fields.char({
    label: 'Models',
    size: 1_000,
    help: 'For some models: their names, such as sale.order, crm.lead.',
  }),
  approver_id: fields.many2one('core.user', {
    label: 'Who approves',
    domain: [['active', '=', true]],
    help: 'If empty, the person the key acts on behalf of.',
  }),
};

/**
 * Which changes of an agent need approval, and by whom: set by the owner of the key while they approve themselves, and by
 * administrators. Pending proposals stay with their approver.
 */
export const changeHolding = {
  label: 'Change approval',
  icon: 'shield-check',
  single: 'Choose one key.',
  asks,
  async proposes({ env, records }: Pick<ActionCall<'core.user.apikey'>, 'env' | 'records'>) {
    const [key] = await env.model('core.user.apikey').read(records.ids, ['held', 'approver_id']);
    return { value: { ...shownHolding(toHeld(key?.held)), approver_id: key?.approver_id ?? null } };
  },
  async run({ env, records, answers }: ActionCall<'core.user.apikey', typeof asks>) {
    const {
      id,
      agent,
      user_id: owner,
      approver_id: approver,
    } = await records.only('agent', 'user_id.id', 'approver_id.id');
    if (!agent) throw new ValidationError({ holding: ['Only changes of an agent can require approval.'] });
    const isOthers = approver !== null && approver.id !== owner?.id;
    if (isOthers && !env.actor.groups.has('base.group_system')) {
      throw accessDenied('core.user.apikey', 'write', 'field', {
        field: 'held',
        message: text('Another person approves the changes of this agent. Only an administrator can change that.'),
      });
    }
    const held = await heldOf(env, answers.holding, answers.models ?? '');
    // These fields cannot be written from outside; the owner of the key was checked above.
    const keys = env.sudo().model('core.user.apikey');
    await keys.write([id], { held, approver_id: answers.approver_id ?? null });
  },
};

type Holding = 'all' | 'grave' | 'some' | 'none';

function shownHolding(held: HeldChanges | null): { readonly holding: Holding; readonly models: string } {
  const names = Object.keys(held ?? {}).filter((name) => name !== '*');
  const every = held?.['*'] ?? [];
  if (names.length > 0) return { holding: 'some', models: names.join(', ') };
  if (every.length === 0) return { holding: 'none', models: '' };
  return { holding: all.every((operation) => every.includes(operation)) ? 'all' : 'grave', models: '' };
}

async function heldOf(env: Env, holding: Holding, models: string): Promise<HeldChanges | null> {
  if (holding === 'all') return { '*': all };
  if (holding === 'grave') return { '*': grave };
  if (holding !== 'some') return null;
  const names = [...new Set(models.split(/[\s,;]+/).filter(Boolean))];
  if (names.length === 0) throw new ValidationError({ models: ['Choose at least one model.'] });
  const unknown = names.find((name) => !env.registry.models.has(name));
  if (unknown !== undefined)
    throw new ValidationError({ models: [text('There is no model {name}.', { name: unknown })] });
  return Object.fromEntries(names.map((name) => [name, all]));
}
