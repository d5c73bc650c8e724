import { type Env, isMailAddress, unsubscribeLink, wordsIn } from '@kontor/addon';
import type { Thread } from '../chatter/thread.ts';

export interface FollowingContact {
  readonly name: string;
  readonly address: string;
  readonly lang: string | null;
  readonly contactId: number;
}

/** Contacts who follow a record and can be written to. As the server: whoever may write to people outside sees who receives it. */
export async function contactsFollowing(env: Env, { model, id }: Thread): Promise<readonly FollowingContact[]> {
  if (!env.registry.model(model).chatter?.contactsFollow) return [];
  const rows = await env
    .sudo()
    .model('mail.follow')
    .searchRead(
      [
        ['model', '=', model],
        ['res_id', '=', id],
        ['partner_id', '!=', null],
        ['is_on', '=', true],
      ],
      ['partner_id', 'partner_id.name', 'partner_id.email', 'partner_id.lang'],
      { order: 'id', limit: 50 },
    );
  return rows.flatMap((row) => {
    const address = row['partner_id.email'] ?? '';
    if (row.partner_id === null || !isMailAddress(address)) return [];
    return [
      { name: row['partner_id.name'] ?? address, address, lang: row['partner_id.lang'], contactId: row.partner_id },
    ];
  });
}

/** Those who are not recipients anyway, each with the link that ends it. */
export async function followingContacts(env: Env, thread: Thread, to: readonly string[]) {
  const known = new Set(to.map((address) => address.toLowerCase()));
  const copies: { readonly address: string; readonly unsubscribe: { label: string; href: string } | null }[] = [];
  for (const { address, lang, contactId } of await contactsFollowing(env, thread)) {
    if (known.has(address.toLowerCase())) continue;
    known.add(address.toLowerCase());
    const href = await unsubscribeLink(env, ['contact', contactId, thread.model, thread.id]);
    const { say } = wordsIn(env, lang ?? env.actor.lang, 'mail');
    copies.push({ address, unsubscribe: href === null ? null : { label: say('Stop e-mails like this'), href } });
  }
  return copies;
}
