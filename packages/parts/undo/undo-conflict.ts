import type { Env } from '@kontor/orm';
import { KontorError, type Text, text } from '@kontor/protocol';
import type { Touch } from './touched-since.ts';

/** So many are told one by one. */
const mostTold = 20;

/** Which records cannot be taken back and who stands in the way, as far as the caller may see them. */
export async function undoConflict(env: Env, touches: readonly Touch[]): Promise<KontorError> {
  const told = touches.slice(0, mostTold);
  const nameOf = await recordNames(env, told);
  const users = await userNames(env, told);
  const records = told.map((touch) => {
    const { model, id, userId, fields, attached } = touch;
    const by = userId === null ? null : { id: userId, name: users.get(userId) ?? null };
    return {
      ...{ model: model.name, id, name: nameOf(touch), by, fields },
      ...(attached ? { attached: attached.name } : {}),
    };
  });
  const [first] = told as [Touch];
  return new KontorError('CONFLICT', words(first, nameOf(first), users), { records, more: touches.length > mostTold });
}

function words(touch: Touch, name: string | null, users: ReadonlyMap<number, string>): Text {
  const record = name ?? `${touch.model.label} ${touch.id}`;
  const user = touch.userId === null ? undefined : users.get(touch.userId);
  if (touch.attached) {
    const what = touch.attached.label;
    return user === undefined
      ? text('This cannot be taken back: something was added to {record} since ({what}).', { record, what })
      : text('This cannot be taken back: {user} has added something to {record} since ({what}).', {
          user,
          record,
          what,
        });
  }
  return user === undefined
    ? text('This cannot be taken back: {record} was changed since.', { record })
    : text('This cannot be taken back: {user} has changed {record} since.', { user, record });
}

async function recordNames(env: Env, touches: readonly Touch[]): Promise<(touch: Touch) => string | null> {
  const names = new Map<string, string>();
  for (const model of new Set(touches.map((touch) => touch.model))) {
    const ids = [...new Set(touches.filter((touch) => touch.model === model).map(({ id }) => id))];
    const rows = await env
      .model(model.name)
      .searchRead([['id', 'in', ids]], ['display_name'])
      .catch((error: unknown) => {
        if (error instanceof KontorError && error.code === 'ACCESS_DENIED') return [];
        throw error;
      });
    for (const row of rows) names.set(`${model.name},${row.id}`, String(row.display_name ?? ''));
  }
  return ({ model, id }) => names.get(`${model.name},${id}`) ?? null;
}

/** Who works beside one is no secret, whatever else of people is. */
async function userNames(env: Env, touches: readonly Touch[]): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(touches.flatMap(({ userId }) => userId ?? []))];
  if (ids.length === 0) return new Map();
  const rows = await env
    .sudo()
    .model('core.user')
    .searchRead([['id', 'in', ids]], ['name']);
  return new Map(rows.map((row) => [row.id, String(row.name)]));
}
