import { anyModel, type Env, fields, open, tellPerson, text, UserError } from '@kontor/addon';
import { handedOver } from '../chatter/notices.ts';
import { authorOf } from '../chatter/notify-mentioned.ts';
import { postComment } from '../chatter/post-message.ts';

const asks = {
  user_id: fields.many2one('core.user', { label: 'Colleague', required: true, domain: [['active', '=', true]] }),
  note: fields.text({ help: 'Added to the discussion of each record.' }),
};

interface Call {
  readonly env: Env;
  readonly records: { readonly ids: readonly number[] };
  readonly answers: { readonly user_id: number; readonly note: string | null };
}

/**
 * The action that hands records over to a colleague, even if they become invisible to the caller, which a plain write may not do.
 * Their model has `user_id`, `company_id` and a chatter; `list` is the list to return to.
 * ```ts
 * actions: { hand_over: handOver('crm.lead', 'crm.pipeline') }
 * ```
 */
export function handOver(model: 'crm.lead' | 'sale.order', list: string) {
  return {
    label: 'Hand over',
    icon: 'user-check',
    asks,
    async run({ env, records, answers }: Call) {
      const { ids } = records;
      const rows = await anyModel(env, model).read(ids, ['display_name', 'company_id']);
      await checkColleague(
        env,
        answers.user_id,
        rows.map((row) => row.company_id as number | null),
      );
      const note = answers.note?.trim() ?? '';
      if (note !== '') for (const id of ids) await postComment(env, { model, id }, note);
      // As the server: the caller may change them now, and need not see them afterwards.
      await anyModel(env.sudo(), model).write(ids, { user_id: answers.user_id });
      const given = rows.map((row) => ({ model, id: row.id, name: String(row.display_name) }));
      if (answers.user_id !== env.uid) await tellColleague(env, answers.user_id, given, note);
      const seen = await anyModel(env, model).count([['id', 'in', ids]]);
      return seen === ids.length ? undefined : open(model, { action: list });
    },
  };
}

interface Given {
  readonly model: string;
  readonly id: number;
  readonly name: string;
}

async function tellColleague(env: Env, userId: number, given: readonly Given[], note: string): Promise<void> {
  const { name: author, signature } = await authorOf(env);
  const names = given.map(({ name }) => name).join(', ');
  await tellPerson(env, userId, handedOver, () => ({
    title: text('{author} hands over to you: {names}', { author, names: names.slice(0, 200) }),
    body: note,
    about: given.length === 1 ? (given[0] ?? null) : null,
    mail: { paragraphs: [names, note].filter((part) => part !== ''), signature },
  }));
}

async function checkColleague(env: Env, userId: number, companies: readonly (number | null)[]): Promise<void> {
  // As the server: the companies of others are not public. Only whether it fits is revealed.
  const [colleague] = await env.sudo().model('core.user').read([userId], ['active', 'company_ids']);
  if (!colleague?.active) throw new UserError('Choose the colleague to hand over to.');
  const own: readonly number[] = colleague.company_ids;
  if (companies.some((id) => id !== null && !own.includes(id))) {
    throw new UserError('Your colleague does not work in the company of this record.');
  }
}
