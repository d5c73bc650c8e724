import { anyModel, checkRight, type Env, KontorError, mayPersonRead, text, UserError } from '@kontor/addon';
import { mentioned } from './notices.ts';
import { authorOf, isPersonGuest } from './notify-mentioned.ts';
import { notifyPerson } from './notify-person.ts';
import { publishPosted } from './post-message.ts';
import { checkMayComment, type Thread, threadDetails } from './thread.ts';

/** Lists of users of a record, such as the members of a project: rules may give them access. */
export function peopleLists(env: Env, model: string): readonly string[] {
  return [...env.registry.model(model).fields.values()]
    .filter(({ spec, through }) => spec.relation === 'core.user' && through !== null && !spec.readonly)
    .filter(({ spec }) => !spec.groups || spec.groups.some((group) => env.actor.groups.has(group)))
    .map(({ name }) => name);
}

/**
 * Lets a user read a record after a mention that they could not see: adds them to the first of its lists of users that gives
 * access, as the caller and with their right to change it. If none does, nothing is changed and an error says so.
 */
export async function shareRecord(env: Env, thread: Thread, uid: number): Promise<void> {
  await checkMayComment(env, thread);
  const { model, id } = thread;
  await checkRight(env, model, [id], 'write');
  const [person] = await env.model('core.user').read([uid], ['name']);
  const name = person?.name ?? '';
  if (await isPersonGuest(env, uid))
    throw new UserError(text('{name} is a guest, who does not read internal notes.', { name }));
  if (!(await mayPersonRead(env, uid, model, id)) && !(await letIn(env, thread, uid)))
    throw new UserError(text('{name} cannot be given access through this record. Ask an administrator.', { name }));
  const details = await threadDetails(env, thread);
  const { name: author, signature } = await authorOf(env);
  await notifyPerson(env, uid, details, {
    ...{ spec: mentioned, signature },
    title: text('{author} mentioned you', { author }),
    line: text('{author} mentioned you on {name}:', { author, name: details.name }),
    body: '',
  });
}

async function letIn(env: Env, { model, id }: Thread, uid: number): Promise<boolean> {
  const records = anyModel(env, model);
  const lists = peopleLists(env, model);
  const [now] = await records.read([id], lists);
  // A list that already contains them does not give them access, and they stay in it.
  for (const field of lists.filter((list) => !(now?.[list] as readonly number[] | undefined)?.includes(uid))) {
    await records.write([id], { [field]: [['link', uid]] });
    if (await mayPersonRead(env, uid, model, id)) return true;
    await records.write([id], { [field]: [['unlink', uid]] });
  }
  return false;
}

/** The name of a user in one's own message stays, but is no longer a mention. */
export async function removeMention(env: Env, messageId: number, uid: number): Promise<void> {
  // As the server, since messages cannot be read as records; only one's own is found.
  const messages = env.sudo().model('mail.message');
  const [message] = await messages.searchRead(
    [
      ['id', '=', messageId],
      ['author_id', '=', env.uid],
      ['kind', '=', 'comment'],
    ],
    ['body', 'model', 'res_id'],
  );
  if (!message) throw new KontorError('NOT_FOUND', text('The record does not exist.'));
  const thread = { model: message.model, id: message.res_id };
  await checkMayComment(env, thread);
  await messages.write([messageId], { body: withoutMention(message.body ?? '', uid) });
  const { companyId } = await threadDetails(env, thread);
  await publishPosted(env, { ...thread, companyId }, messageId);
}

/** One pass over the links: what a message holds between two of them is not searched again. */
export function withoutMention(html: string, uid: number): string {
  const isTheirs = new RegExp(`model=core\\.user(?!\\w).*\\bid=${uid}(?!\\w)`);
  return html.replaceAll(/<a ([^<>]*)>@?([^<]*)<\/a>/g, (link, attributes: string, name: string) =>
    isTheirs.test(attributes) ? name : link,
  );
}
