import { contactWords } from '@addons/base';
import {
  type ActionCall,
  type CallsOf,
  type Draft,
  type Env,
  type FieldsOf,
  fields,
  inheritModel,
  open,
  openRelated,
  UserError,
} from '@kontor/addon';
import { matchKeys } from '../duplicates/match-keys.ts';
import { mergeAsks, mergeChosen, proposeKept } from '../merge/merge-partners.ts';
import { addressPosition, positionFields, positionPaths, wholePosition } from './position.ts';

const contactFields = {
  job_position: fields.char({ personal: true, size: 200, synonyms: contactWords.job }),
  tag_ids: fields.many2many('core.partner.tag', { label: 'Tags', synonyms: contactWords.tags }),
  email_ids: fields.one2many('core.partner.email', 'partner_id', { label: 'Further e-mails', copy: true }),
  phone_ids: fields.one2many('core.partner.phone', 'partner_id', { label: 'Further phones', copy: true }),
  ...positionFields,
  contact_count: fields.integer({ label: 'People', computed: true }),
  is_private: fields.boolean({
    label: 'Private',
    help: 'Only the person responsible and contact managers can see it.',
  }),
  match_keys: fields.text({
    computed: true,
    stored: true,
    copy: false,
    help: 'E-mails, phones and name in the form in which contacts are compared.',
  }),
};

declare module '@addons/base' {
  interface CorePartner extends FieldsOf<typeof contactFields> {}
  interface CorePartnerCalls extends CallsOf<typeof partnerContacts> {}
}

const compared = [
  'name',
  'is_company',
  'email',
  'phone',
  'mobile',
  'country_id.phone_code',
  'email_ids.address',
  'phone_ids.number',
  'parent_id.email',
  'parent_id.phone',
  'parent_id.mobile',
] as const;

export const partnerContacts = inheritModel('core.partner', {
  chatter: true,
  fields: contactFields,
  computes: {
    contact_count: { count: 'child_ids', below: true },
    match_keys: {
      asServer: 'What a contact shares with its company is left out of the keys: they hold what is its own.',
      depends: compared,
      value: keysOf,
    },
    latitude: { depends: positionPaths, value: (partner) => addressPosition(partner).latitude },
    longitude: { depends: positionPaths, value: (partner) => addressPosition(partner).longitude },
    /** The creator of a private contact is responsible for it: nobody else would see it. */
    user_id: {
      depends: ['is_private'],
      value: ({ is_private: isPrivate }, { user, isNew }) => (isPrivate && isNew ? user : undefined),
    },
  },
  constraints: { whole_position: wholePosition },
  hooks: {
    on: ['is_private', 'company_id'],
    async beforeWrite({ env, ids, values }) {
      await keepShared(env, ids, values);
      return values;
    },
  },
  actions: {
    open_people: openRelated('core.partner', 'parent_id', { view: 'list', below: true }),
    /** Opens the possible duplicates of this contact. */
    show_duplicates: {
      needs: 'read',
      single: 'Choose one contact to compare with the others.',
      run: showDuplicates,
    },
    /** People can often be reached through their company. */
    take_address: { label: "Use the company's address", icon: 'building-2', run: takeAddress },
    /** Merges the selected contacts into one: the given one, or the oldest. */
    merge: {
      label: 'Merge',
      icon: 'layers',
      groups: ['contacts.group_manager'],
      asks: mergeAsks,
      proposes: proposeKept,
      run: mergeChosen,
    },
  },
});

/** Only contact managers can restrict a shared contact to a company or to themselves. */
async function keepShared(env: Env, ids: readonly number[], values: Readonly<Record<string, unknown>>): Promise<void> {
  if (env.isSudo || env.actor.groups.has('contacts.group_manager')) return;
  const isTaken = values.is_private === true;
  const isGiven = values.company_id !== undefined && values.company_id !== null;
  if (!isTaken && !isGiven) return;
  const shared = await env.model('core.partner').read(ids, ['is_private', 'company_id']);
  if (shared.some((each) => (isTaken && !each.is_private) || (isGiven && each.company_id === null))) {
    throw new UserError('Only contact managers can restrict a shared contact to one person or one company.');
  }
}

/** Between line breaks, so that each key can be matched as a whole. */
function keysOf(partner: Draft<'core.partner', (typeof compared)[number]>): string {
  const { parent_id: parent } = partner;
  const keys = matchKeys({
    name: partner.name ?? '',
    isCompany: partner.is_company,
    emails: [partner.email, ...partner.email_ids.map((line) => line.address)],
    phones: [partner.phone, partner.mobile, ...partner.phone_ids.map((line) => line.number)],
    callingCode: partner.country_id?.phone_code ?? null,
    shared: { emails: parent ? [parent.email] : [], phones: parent ? [parent.phone, parent.mobile] : [] },
  });
  return `\n${keys.join('\n')}\n`;
}

async function takeAddress({ env, records }: ActionCall<'core.partner'>): Promise<void> {
  const partners = env.model('core.partner');
  for (const { id, parent_id: company } of await partners.read(records.ids, ['parent_id'])) {
    if (company === null) throw new UserError('Choose the company first.');
    const [from] = await partners.read([company], ['street', 'street2', 'zip', 'city', 'country_id']);
    if (!from) throw new UserError('You cannot see the company of this person.');
    const { id: _id, ...address } = from;
    await partners.write([id], address);
  }
}

async function showDuplicates({ env, records }: ActionCall<'core.partner'>) {
  const { id } = await records.only();
  const same = await findSame(env, id);
  if (same.length === 0) throw new UserError('No other contact has the same name, e-mail or phone.');
  return open('core.partner', { view: 'list', domain: [['id', 'in', [id, ...same]]] });
}

/** Contacts that share an e-mail, a phone number or the name with the given one, as far as the caller may see them. */
async function findSame(env: Env, partnerId: number): Promise<number[]> {
  const partners = env.model('core.partner');
  const [partner] = await partners.read([partnerId], ['match_keys', 'company_id']);
  const keys = partner?.match_keys.trim().split('\n') ?? [];
  if (keys.length === 0) return [];
  return partners.search([
    ['id', '!=', partnerId],
    ...keys.slice(1).map(() => '|' as const),
    ...keys.map((key) => ['match_keys', 'like', `\n${key}\n`] as const),
  ]);
}
