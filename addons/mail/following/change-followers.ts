import { type Env, isMailAddress, KontorError, mayPersonRead, text, UserError, withdrawMails } from '@kontor/addon';
import { added } from '../chatter/notices.ts';
import { authorOf } from '../chatter/notify-mentioned.ts';
import { notifyPerson } from '../chatter/notify-person.ts';
import { checkMayComment, type Thread, threadDetails } from '../chatter/thread.ts';
import { keepFollower } from './keep-follower.ts';

export type Follower = { readonly user: number } | { readonly contact: number };

const mostContacts = 20;

/** Colleagues who may comment on a record add others who may read it, and contacts where the model takes them. */
export async function addFollower(env: Env, thread: Thread, follower: Follower): Promise<void> {
  await checkMayChange(env, thread);
  if ('user' in follower) await addColleague(env, thread, follower.user);
  else await addContact(env, thread, follower.contact);
}

async function addColleague(env: Env, thread: Thread, uid: number): Promise<void> {
  const [person] = await env.model('core.user').read([uid], ['name', 'active']);
  if (!person?.active) throw new UserError('Choose a colleague who can sign in.');
  if (!(await mayPersonRead(env, uid, thread.model, thread.id)))
    throw new UserError(text('{name} may not read this record.', { name: person.name }));
  await keepFollower(env, thread, uid, 'added');
  if (uid === env.uid) return;
  const { name: author, signature } = await authorOf(env);
  const details = await threadDetails(env, thread);
  await notifyPerson(env, uid, details, {
    ...{ spec: added, signature, body: '' },
    title: text('{author} added you as a follower', { author }),
    line: text('{author} added you as a follower of {name}.', { author, name: details.name }),
  });
}

async function addContact(env: Env, thread: Thread, contact: number): Promise<void> {
  if (!env.registry.model(thread.model).chatter?.contactsFollow)
    throw new UserError('Contacts cannot follow these records.');
  const [partner] = await env.model('core.partner').read([contact], ['name', 'email']);
  if (!isMailAddress(partner?.email ?? ''))
    throw new UserError(text('{name} has no e-mail address.', { name: partner?.name ?? '' }));
  const follows = env.sudo().model('mail.follow');
  const rows = await follows.searchRead(
    [
      ['model', '=', thread.model],
      ['res_id', '=', thread.id],
      ['partner_id', '!=', null],
    ],
    ['partner_id', 'is_on'],
  );
  const known = rows.find((row) => row.partner_id === contact);
  if (known && !known.is_on)
    throw new UserError(text('{name} has unsubscribed from this record.', { name: partner?.name ?? '' }));
  if (known) return;
  if (rows.length >= mostContacts)
    throw new UserError(text('At most {max} contacts follow a record.', { max: mostContacts }));
  await follows.create({ user_id: null, partner_id: contact, model: thread.model, res_id: thread.id, why: 'added' });
}

/** People leave a record themselves, whatever made them follow it; colleagues remove those who were added, mentioned or chose to follow, and contacts. */
export async function removeFollower(env: Env, thread: Thread, follower: Follower): Promise<void> {
  if ('user' in follower && follower.user === env.uid) {
    await env.model('mail.follow').create({ model: thread.model, res_id: thread.id, is_on: false });
    return;
  }
  await checkMayChange(env, thread);
  const follows = env.sudo().model('mail.follow');
  const about = [['model', '=', thread.model] as const, ['res_id', '=', thread.id] as const];
  if ('contact' in follower) {
    const found = await follows.search([...about, ['partner_id', '=', follower.contact]]);
    if (found.length === 0) throw new KontorError('NOT_FOUND', 'This contact does not follow the record.');
    await withdrawWaiting(env, found[0] as number);
    await follows.unlink(found);
    return;
  }
  const found = await follows.search([...about, ['user_id', '=', follower.user], ['is_on', '=', true]]);
  if (found.length === 0) throw new UserError('They follow because of the record. Only they can leave it.');
  await follows.unlink(found);
}

/** What waits for a contact who no longer follows is not sent. As the server: the callers check who may. */
export async function withdrawWaiting(env: Env, follow: number): Promise<void> {
  const server = env.sudo();
  const [row] = await server.model('mail.follow').read([follow], ['model', 'res_id', 'partner_id.email']);
  if (!row) return;
  const waiting = await server.model('mail.message').searchRead(
    [
      ['model', '=', row.model],
      ['res_id', '=', row.res_id],
      ['send_at', '>', env.now.toISOString()],
    ],
    ['message_ref', 'recipients'],
  );
  const address = (row['partner_id.email'] ?? '').toLowerCase();
  // Not those that name the contact as a recipient.
  const copies = waiting.filter(({ recipients }) => !(recipients ?? '').toLowerCase().split('\n').includes(address));
  await withdrawMails(
    env,
    copies.flatMap(({ message_ref: key }) => key ?? []),
    address,
  );
}

async function checkMayChange(env: Env, thread: Thread): Promise<void> {
  if (!env.actor.groups.has('base.group_user'))
    throw new KontorError('ACCESS_DENIED', text('Only users may change followers.'));
  await checkMayComment(env, thread);
}
