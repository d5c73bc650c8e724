import { anyModel, type Env, KontorError, text, wordsIn } from '@kontor/addon';
import { namesSeen } from '../chatter/read-chatter.ts';
import { checkMayComment, checkThread, isAllowed, type Thread } from '../chatter/thread.ts';
import { type Followers, followersOf, type Why } from './followers.ts';
import { chosenOf, keyOf, kindsOf, peopleFields } from './following.ts';
import { followingIn, followingSetting, type Hears } from './hearing.ts';

export interface ShownFollower {
  readonly userId: number | null;
  readonly contactId: number | null;
  readonly name: string;
  /** In the reader's language. */
  readonly why: string;
  /** Whether the reader may remove them. */
  readonly mayRemove: boolean;
}

export interface RecordFollowers {
  readonly followers: readonly ShownFollower[];
  /** The reader's choices: at the record, for its kind and in general. Null: none. */
  readonly own: {
    readonly record: Hears | null;
    readonly kind: Hears | null;
    readonly every: boolean;
    readonly person: Hears;
  };
  readonly kindLabel: string;
  /** Whether the reader may add colleagues, and contacts. */
  readonly mayAdd: boolean;
  readonly takesContacts: boolean;
}

/** Who follows a record and why, for whoever may read it, as far as they may see the people. What others hear is theirs alone. */
export async function readFollowers(env: Env, thread: Thread): Promise<RecordFollowers> {
  await checkThread(env, thread);
  const { model, id } = thread;
  const known = env.registry.model(model);
  const found = await followersOf(env, model, [id], peopleFields(env, model));
  const mayAdd = env.actor.groups.has('base.group_user') && (await isAllowed(checkMayComment(env, thread)));
  const [chosen, kinds] = [await chosenOf(env, [{ model, res_id: id }]), await kindsOf(env)];
  const choice = chosen.get(keyOf({ model, res_id: id }));
  const kind = kinds.get(model);
  const [setting] = await env.model('sys.user.setting').searchRead(
    [
      ['user_id', '=', env.uid],
      ['key', '=', followingSetting],
    ],
    ['value'],
  );
  return {
    followers: [...(await shownPeople(env, thread, found, mayAdd)), ...(await shownContacts(env, thread, mayAdd))],
    own: {
      record: choice ? (choice.hears ?? (choice.is_on ? null : 'mentions')) : null,
      kind: kind?.hears ?? null,
      every: kind?.every ?? false,
      person: followingIn(setting?.value).hears,
    },
    kindLabel: known.label,
    mayAdd,
    takesContacts: known.chatter?.contactsFollow ?? false,
  };
}

/** Names of the colleagues who follow a record, without the reader's own, as far as the reader may see them. */
export async function colleaguesFollowing(env: Env, { model, id }: Thread): Promise<readonly string[]> {
  const { people } = await followersOf(env, model, [id], peopleFields(env, model));
  const others = [...(people.get(id)?.keys() ?? [])].filter((uid) => uid !== env.uid && uid !== 0);
  const names = await namesSeen(env, others);
  return others.flatMap((uid) => names.get(uid) ?? []);
}

async function shownPeople(env: Env, { model, id }: Thread, found: Followers, mayAdd: boolean) {
  const people = found.people.get(id) ?? new Map<number, Why>();
  const names = await namesSeen(env, [...people.keys()]);
  const { say } = wordsIn(env, env.actor.lang, 'mail');
  const byRule = new Set(['chose', 'added', 'mentioned']);
  return [...people].flatMap(([uid, why]): ShownFollower[] => {
    const name = names.get(uid);
    if (name === undefined || uid === 0) return [];
    const mayRemove = uid === env.uid || (mayAdd && byRule.has(why.is));
    return [{ userId: uid, contactId: null, name, why: say(whyText(env, model, why)), mayRemove }];
  });
}

function whyText(env: Env, model: string, why: Why) {
  if (why.is === 'named')
    return text('{field} of the record', {
      field: env.registry.model(model).fields.get(why.field)?.label ?? why.field,
    });
  return {
    created: text('Created it'),
    wrote: text('Wrote here'),
    activity: text('Has an activity here'),
    chose: text('Chose to follow'),
    added: text('Added by a colleague'),
    mentioned: text('Was mentioned'),
    kind: text('Follows all {kind}', { kind: env.registry.model(model).label }),
  }[why.is];
}

/** Contacts as far as the reader may read them. As the server: the rows of others cannot be read. */
async function shownContacts(env: Env, { model, id }: Thread, mayAdd: boolean): Promise<readonly ShownFollower[]> {
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
      ['partner_id'],
      { limit: 200 },
    );
  const ids = rows.flatMap(({ partner_id: contact }) => contact ?? []);
  if (ids.length === 0) return [];
  const { say } = wordsIn(env, env.actor.lang, 'mail');
  try {
    const contacts = await anyModel(env, 'core.partner').searchRead([['id', 'in', ids]], ['name']);
    return contacts.map((contact) => ({
      ...{ userId: null, contactId: contact.id, name: String(contact.name ?? ''), mayRemove: mayAdd },
      why: say(text('Contact: gets messages to people outside')),
    }));
  } catch (error) {
    if (error instanceof KontorError && error.code === 'ACCESS_DENIED') return [];
    throw error;
  }
}
