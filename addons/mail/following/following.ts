import { anyModel, type Env } from '@kontor/addon';
import type { Thread } from '../chatter/thread.ts';
import type { KindChoice, RecordChoice } from './hearing.ts';

type Key = { readonly model: string; readonly res_id: number };

export function keyOf({ model, res_id: id }: Key): string {
  return `${model},${id}`;
}

/** The user's choices at these records, by key. As the server, only about the user. */
export async function chosenOf(env: Env, records: readonly Key[]): Promise<ReadonlyMap<string, RecordChoice>> {
  const rows = await env
    .sudo()
    .model('mail.follow')
    .searchRead([['user_id', '=', env.uid], ...among(records)], ['model', 'res_id', 'is_on', 'hears']);
  return new Map(rows.map((row) => [keyOf(row), row]));
}

/** The user's choices for kinds of records, by model. As the server, only about the user. */
export async function kindsOf(env: Env): Promise<ReadonlyMap<string, KindChoice>> {
  const rows = await env
    .sudo()
    .model('mail.follow.kind')
    .searchRead([['user_id', '=', env.uid]], ['model', 'hears', 'every']);
  return new Map(rows.map((row) => [row.model, row]));
}

/** Records that the user commented on, or has or had an activity on. As the server, only about the user. */
export async function participatedIn(env: Env, records: readonly Key[]): Promise<ReadonlySet<string>> {
  const server = env.sudo();
  const about = among(records);
  const [said, given] = await Promise.all([
    server
      .model('mail.message')
      .searchRead([['author_id', '=', env.uid], ['kind', 'in', ['comment', 'email']], ...about], ['model', 'res_id']),
    server.model('mail.activity').searchRead([['user_id', '=', env.uid], ...about], ['model', 'res_id']),
  ]);
  return new Set([...said, ...given].map(keyOf));
}

function among(records: readonly Key[]) {
  const models = [...new Set(records.map((record) => record.model))];
  const ids = [...new Set(records.map((record) => record.res_id))];
  return [['model', 'in', models] as const, ['res_id', 'in', ids] as const];
}

/** The creator of a record, and the fields that assign it to users, of those that everybody or the reader may see. */
export function peopleFields({ registry, actor }: Pick<Env, 'registry' | 'actor'>, model: string): readonly string[] {
  const { fields } = registry.model(model);
  return [...fields.values()]
    .filter(({ name, kind, spec, isStored, through }) => {
      const isLink = kind.isToOne ? isStored : through !== null;
      const isOpen = !spec.groups || spec.groups.some((group) => actor.groups.has(group));
      return spec.relation === 'core.user' && isLink && isOpen && !spec.secret && name !== 'write_uid';
    })
    .map(({ name }) => name);
}

/** Whether the user follows a record: by their choice, for its kind, or else if they take part in it. */
export async function isFollowing(env: Env, { model, id }: Thread): Promise<boolean> {
  const record = { model, res_id: id };
  const [chosen, kinds, taken] = await Promise.all([
    chosenOf(env, [record]),
    kindsOf(env),
    participatedIn(env, [record]),
  ]);
  const choice = chosen.get(keyOf(record));
  if (choice !== undefined) return choice.is_on && choice.hears !== 'none';
  if (taken.size > 0 || kinds.get(model)?.every) return true;
  const mine = peopleFields(env, model).map((name) => [name, 'in', [env.uid]] as const);
  if (mine.length === 0) return false;
  const either = [...Array.from({ length: mine.length - 1 }, () => '|' as const), ...mine];
  return (await anyModel(env, model).count([['id', '=', id], ...either])) > 0;
}
