import { anyModel, type Env } from '@kontor/addon';
import type { RecordChoice } from './hearing.ts';

/** Why somebody follows a record; the field is the one that names them. */
export type Why =
  | { readonly is: 'created' | 'wrote' | 'activity' | 'chose' | 'added' | 'mentioned' | 'kind' }
  | { readonly is: 'named'; readonly field: string };

export interface Followers {
  /** Users who follow, with the reason, by record. */
  readonly people: ReadonlyMap<number, ReadonlyMap<number, Why>>;
  /** Choices of users at the records, by record. */
  readonly choices: ReadonlyMap<number, ReadonlyMap<number, RecordChoice>>;
}

/** Of one record. */
const mostPeople = 500;

/**
 * Who follows records of a model: who created one, is named in it, wrote about it, has or had an activity on it, was mentioned or added,
 * or follows every record of its kind; without those who left it. As the server: names are shown only as far as the reader may see them.
 */
export async function followersOf(
  env: Env,
  model: string,
  ids: readonly number[],
  fields: readonly string[],
): Promise<Followers> {
  const server = env.sudo();
  const about = [['model', '=', model] as const, ['res_id', 'in', [...ids]] as const];
  const [chosen, said, given, everywhere, rows] = await Promise.all([
    server
      .model('mail.follow')
      .searchRead([...about, ['user_id', '!=', null]], ['user_id', 'res_id', 'is_on', 'hears', 'why']),
    server.model('mail.message').readGroup({
      domain: [...about, ['author_id', '!=', null], ['kind', 'in', ['comment', 'email']]],
      groupby: ['res_id', 'author_id'],
      fields: [],
    }),
    server.model('mail.activity').readGroup({ domain: [...about], groupby: ['res_id', 'user_id'], fields: [] }),
    server.model('mail.follow.kind').searchRead(
      [
        ['model', '=', model],
        ['every', '=', true],
      ],
      ['user_id'],
      {
        limit: mostPeople,
      },
    ),
    anyModel(server, model).searchRead([['id', 'in', [...ids]]], [...fields]),
  ]);
  const people = new Map(ids.map((id) => [id, new Map<number, Why>()]));
  const choices = new Map(ids.map((id) => [id, new Map<number, RecordChoice>()]));
  const add = (id: number, uid: unknown, why: Why): void => {
    const own = people.get(id);
    if (typeof uid === 'number' && own && !own.has(uid) && own.size < mostPeople) own.set(uid, why);
  };
  for (const row of chosen) {
    if (row.user_id !== null) choices.get(row.res_id)?.set(row.user_id, row);
    if (row.is_on) add(row.res_id, row.user_id, { is: row.why });
  }
  for (const row of rows) {
    for (const field of fields) {
      const named = row[field];
      const why: Why = field === 'create_uid' ? { is: 'created' } : { is: 'named', field };
      for (const uid of Array.isArray(named) ? named : [named]) add(row.id, uid, why);
    }
  }
  for (const row of given) add(Number(row.res_id), row.user_id, { is: 'activity' });
  for (const row of said) add(Number(row.res_id), row.author_id, { is: 'wrote' });
  for (const id of ids) for (const row of everywhere) add(id, row.user_id, { is: 'kind' });
  for (const [id, own] of choices) for (const [uid, choice] of own) if (!isKept(choice)) people.get(id)?.delete(uid);
  return { people, choices };
}

/** Whether a choice is to hear something. */
export function isKept({ is_on: isOn, hears }: RecordChoice): boolean {
  return isOn && hears !== 'none';
}
