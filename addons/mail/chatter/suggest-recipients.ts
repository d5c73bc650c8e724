import { anyModel, type Env, isMailAddress } from '@kontor/addon';
import { contactsFollowing } from '../following/following-contacts.ts';
import { colleaguesFollowing } from '../following/read-followers.ts';
import type { MailPeople } from '../incoming/parse-message.ts';
import { peopleIn } from './mail-people.ts';
import { checkMayComment, type Thread, threadDetails } from './thread.ts';

export interface Recipient {
  readonly name: string;
  readonly address: string;
  /** An e-mail to this address came back. */
  readonly isFailing: boolean;
}

export interface SuggestedRecipients {
  readonly to: readonly Recipient[];
  /** Who else had the e-mail that is answered, without our own addresses. */
  readonly others: readonly Recipient[];
  readonly subject: string;
  /** Contacts who follow the record and get a copy. */
  readonly followers: readonly Recipient[];
  /** Names of colleagues who follow the record: they read it here. */
  readonly colleagues: readonly string[];
}

/** Who a message about a record goes to unless its author changes it: who wrote last, otherwise the contact of the record. */
export async function suggestRecipients(env: Env, thread: Thread): Promise<SuggestedRecipients> {
  await checkMayComment(env, thread);
  const last = await lastMail(env, thread);
  const { name } = await threadDetails(env, thread);
  const contact = await contactOf(env, thread);
  const people = peopleIn(last?.people);
  const sender = people.replyTo?.address ?? last?.sender_email ?? '';
  const own = contact && contact.address.toLowerCase() === sender.toLowerCase() ? contact : null;
  const written =
    isMailAddress(sender) && last
      ? {
          // The name of the sender belongs to the address of the sender alone.
          name: (people.replyTo ? people.replyTo.name : last.sender_name) || sender,
          address: sender,
          isFailing: own?.isFailing ?? false,
        }
      : null;
  const subject = last?.subject ?? '';
  return {
    to: [written ?? contact].filter((each) => each !== null),
    others: await othersOf(env, people, [sender, last?.sender_email ?? '']),
    followers: (await contactsFollowing(env, thread)).map(({ name: own, address }) => ({
      ...{ name: own, address, isFailing: false },
    })),
    colleagues: await colleaguesFollowing(env, thread),
    subject: subject === '' ? name : /^re:/i.test(subject) ? subject : `Re: ${subject}`,
  };
}

/** As the server: the addresses of mailboxes that the author may not see are left out as well. */
async function othersOf(env: Env, { to, cc }: MailPeople, known: readonly string[]): Promise<readonly Recipient[]> {
  const all = [...to, ...cc].filter(({ address }) => !known.some((each) => each.toLowerCase() === address));
  if (all.length === 0) return [];
  const boxes = await env.sudo().model('mail.mailbox').searchRead([], ['address'], { limit: mostMailboxes });
  const own = new Set(boxes.map(({ address }) => address));
  const domains = new Set(boxes.map(({ address }) => address.split('@')[1]));
  const aliases = new Set([...env.registry.models.values()].flatMap(({ mail }) => mail?.alias ?? []));
  const isOurs = (address: string) => {
    const [name = '', domain] = address.split('@');
    return own.has(`${name.split('+', 1)[0]}@${domain}`) || (domains.has(domain) && aliases.has(name));
  };
  const others = new Map(all.filter(({ address }) => !isOurs(address)).map((each) => [each.address, each]));
  return [...others.values()].map((each) => ({ ...each, isFailing: false }));
}

const mostMailboxes = 500;

/** As the server, for whoever may comment on the record. */
async function lastMail(env: Env, { model, id }: Thread) {
  const [row] = await env
    .sudo()
    .model('mail.message')
    .searchRead(
      [
        ['model', '=', model],
        ['res_id', '=', id],
        ['kind', '=', 'email'],
        ['author_id', '=', null],
        ['mark', '=', 'message'],
      ],
      ['sender_name', 'sender_email', 'subject', 'people'],
      { order: '-id', limit: 1 },
    );
  return row ?? null;
}

/** The contact of a record, with the rights of the author. */
async function contactOf(env: Env, { model, id }: Thread): Promise<Recipient | null> {
  const field = env.registry.model(model).fields.get('partner_id');
  const isContact = model === 'core.partner';
  if (!isContact && (field?.spec.relation !== 'core.partner' || !field.isStored)) return null;
  const [record] = isContact ? [{ partner_id: id }] : await anyModel(env, model).read([id], ['partner_id']);
  const contact = record?.partner_id;
  if (typeof contact !== 'number') return null;
  const [partner] = await env
    .model('core.partner')
    .searchRead([['id', '=', contact]], ['name', 'email', 'mail_failed_at']);
  if (!partner?.email || !isMailAddress(partner.email)) return null;
  return { name: partner.name, address: partner.email, isFailing: partner.mail_failed_at !== null };
}
