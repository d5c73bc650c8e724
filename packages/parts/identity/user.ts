import {
  type CallsOf,
  companyValue,
  currentCompany,
  defineModel,
  type Env,
  type FieldsOf,
  fields,
} from '@kontor/orm/author';
import {
  accessDenied,
  isTimeZone,
  text,
  UserError,
  usualCalendar,
  ValidationError,
  type WorkCalendar,
} from '@kontor/protocol';
import { queueMail } from '../mail/mail-queue.ts';
import { canMail } from '../mail/mail-server.ts';
import { isMailAddress, type Mail } from '../mail/send-mail.ts';
import { textMail } from '../mail/text-mail.ts';
import { baseAddress } from '../settings/config-parameter.ts';
import { checkLastAdmin } from './administrators.ts';
import { removeFactors } from './factors/factor.ts';
import { forgetSubjects } from './factors/provider.ts';
import { endSteps } from './factors/sign-in-step.ts';
import { invitationText } from './identity-texts.ts';
import { isOwnPassword } from './own-password.ts';
import { type Addressee, createResetToken, endResetTokens, type Mailer } from './password-reset.ts';
import { passwordProblem } from './passwords.ts';
import { hashPassword } from './secrets.ts';
import { offDays, weekOf, workdays } from './working-hours.ts';

const userFields = {
  name: fields.char({ personal: true, required: true, size: 200 }),
  login: fields.char({
    ...{ required: true, unique: true, size: 200, index: true, copy: false, personal: true },
    // Logins are compared as people type them.
    clean: (given) => given.trim().toLowerCase(),
  }),
  password: fields.char({ secret: true, copy: false, help: 'Write only; kept as an argon2id hash.' }),
  has_password: fields.boolean({ label: 'Has a password', readonly: true, copy: false }),
  email: fields.char({ personal: true, label: 'E-mail', size: 320, format: 'email' }),
  email_confirmed: fields.boolean({ secret: true, readonly: true, copy: false, label: 'E-mail confirmed' }),
  active: fields.boolean({ default: true }),
  group_ids: fields.many2many('core.group', {
    label: 'Groups',
    through: { table: 'core_group_user_rel', own: 'user_id', other: 'group_id' },
  }),
  company_id: fields.many2one('core.company', { required: true, default: currentCompany, label: 'Company' }),
  company_ids: fields.many2many('core.company', {
    label: 'Allowed companies',
    through: { table: 'core_user_company_rel', own: 'user_id', other: 'company_id' },
  }),
  lang: fields.char({ label: 'Language', required: true, default: companyValue('lang'), size: 16 }),
  tz: fields.char({ label: 'Time zone', required: true, default: companyValue('tz'), size: 64 }),
  schedule_id: fields.many2one('core.schedule', {
    label: 'Working hours',
    help: "Empty: the company's working hours.",
  }),
  leave_ids: fields.one2many('core.leave', 'user_id', { label: 'Leave', copy: false }),
  work_calendar: fields.json({ label: 'Working time', computed: true, stored: true, copy: false }),
  image: fields.image({ personal: true }),
  signature: fields.text({ personal: true, copy: false, help: 'Added to e-mails sent in their name.' }),
  oidc_only: fields.boolean({
    label: 'Signs in only with the provider',
    copy: false,
    groups: ['base.group_system'],
    help: 'The password cannot be used while an OpenID Connect provider is configured.',
  }),
  oidc_subject: fields.char({ personal: true, secret: true, readonly: true, unique: true, size: 600, copy: false }),
  pinned_apps: fields.json({ readonly: true, copy: false }),
  apikey_ids: fields.one2many('core.user.apikey', 'user_id', {
    label: 'API keys',
    copy: false,
    groups: ['base.group_system'],
  }),
  session_ids: fields.one2many('sys.session', 'user_id', {
    label: 'Devices',
    copy: false,
    groups: ['base.group_system'],
  }),
  factor_ids: fields.one2many('core.user.factor', 'user_id', {
    label: 'Second factors',
    copy: false,
    groups: ['base.group_system'],
  }),
};

/**
 * The record of a user. Addons add fields to it by declaration merging.
 * ```ts
 * const badgeFields = { badge: fields.char({ size: 20 }) };
 * declare module '@kontor/addon' {
 *   interface CoreUser extends FieldsOf<typeof badgeFields> {}
 * }
 * export const userBadge = inheritModel('core.user', { fields: badgeFields });
 * ```
 */
export interface CoreUser extends FieldsOf<typeof userFields> {}
/**
 * The actions of a user, for `env.model('core.user').call`.
 * ```ts
 * export type UserAction = keyof CoreUserCalls;
 * ```
 */
export interface CoreUserCalls extends CallsOf<typeof coreUser> {}
declare module '@kontor/orm' {
  interface Models {
    'core.user': CoreUser;
  }
  interface Calls {
    'core.user': CoreUserCalls;
  }
}

const ownFields: ReadonlySet<string> = new Set(['name', 'email', 'lang', 'tz', 'image', 'signature']);

export const coreUser = defineModel('core.user', {
  label: 'User',
  cached: true,
  noCompany: 'A person may work in several companies: colleagues in any of them see each other.',
  closedToAgents: true,
  order: 'name, id',
  companyRule: false,
  fields: userFields,
  computes: {
    work_calendar: {
      asServer: 'When a person works is known to everybody who plans with them; why they do not is not in it.',
      depends: [
        'tz',
        'company_id.work_calendar',
        ...workdays.map((day) => `schedule_id.${day}` as const),
        'leave_ids.date_from',
        'leave_ids.date_to',
      ],
      value: ({ tz, company_id: company, schedule_id: schedule, leave_ids: leave }) => {
        const usual = (company?.work_calendar ?? usualCalendar('UTC')) as WorkCalendar;
        const week = schedule ? weekOf(schedule) : usual.week;
        return { tz: tz ?? 'UTC', week, off: offDays(leave, usual.off) };
      },
    },
  },
  constraints: {
    known_time_zone: {
      on: ['tz'],
      holds: (user) => isTimeZone(user.tz),
      message: 'This is not a time zone. Use a name such as Europe/Berlin.',
    },
    short_signature: {
      on: ['signature'],
      holds: (user) => (user.signature?.length ?? 0) <= 1000,
      message: 'A signature has at most 1000 characters.',
    },
    known_language: {
      on: ['lang'],
      holds: (user) => /^[a-z]{2,3}(?:_[A-Z][a-z]{3})?(?:_(?:[A-Z]{2}|\d{3}))?$/.test(user.lang),
      message: 'This is not a language code. Use one such as de_DE.',
    },
    company_is_allowed: {
      on: ['company_id', 'company_ids'],
      reads: ['company_ids.id'],
      holds: (user) =>
        user.company_ids.length === 0 || user.company_ids.some((company) => company.id === user.company_id?.id),
      message: 'The company must be one of the allowed companies.',
    },
  },
  hooks: {
    async beforeCreate({ env, values }) {
      return Promise.all(values.map(async (row) => withHash(env, withConfirmation(env, withAddress(row)))));
    },
    async afterCreate({ env, ids, values }) {
      await allowOwnCompany(env, ids);
      const unable = ids.filter((_id, index) => !values[index]?.password);
      if (env.uid > 0 && unable.length > 0) await inviteUsers(env, unable);
    },
    async beforeWrite({ env, ids, values }) {
      refuseForeignChange(env, ids, values);
      return withHash(env, withConfirmation(env, values));
    },
    async afterWrite({ env, ids, values }) {
      if ('password' in values || values.active === false) {
        await endSessions(env, ids);
        await endResetTokens(env.db, ids);
        await endSteps(env.db, ids);
      }
      if ('active' in values || 'group_ids' in values) await checkLastAdmin(env);
      if ('company_id' in values) await allowOwnCompany(env, ids);
    },
    async afterUnlink({ env }) {
      await checkLastAdmin(env);
    },
  },
  onchange: {
    login: {
      reads: ['email'],
      value: ({ login, email }) => (!email && login && isMailAddress(login) ? { email: login } : undefined),
    },
  },
  actions: {
    invite: {
      mails: 'only',
      groups: ['base.group_system'],
      run: async ({ env, records }) => {
        await inviteOrExplain(env, records.ids);
      },
    },
    /** For who lost telephone and codes: the password is enough again, until they set a factor up. */
    reset_factors: {
      groups: ['base.group_system'],
      run: async ({ env, records }) => {
        for (const id of records.ids) await removeFactors(env, id);
        await forgetSubjects(env.db, records.ids);
      },
    },
    /** A person changes their own password; the old one proves that it is them. */
    change_password: {
      asks: { old_password: fields.char(), new_password: fields.char() },
      run: async ({ env, records, answers }) => {
        const [id] = records.ids;
        if (records.ids.length !== 1 || id !== env.uid) {
          throw accessDenied('core.user', 'write', 'rule', { message: text('You may change only your own password.') });
        }
        const [old, next] = [answers.old_password, answers.new_password].map((said) => String(said ?? ''));
        if (!(await isOwnPassword(env, old ?? '', new UserError('The old password is incorrect.')))) return;
        await env
          .sudo()
          .model('core.user')
          .write([id], { password: next ?? '' });
      },
    },
  },
});

/** People may change some fields of themselves; everything else is for those who administer. */
function refuseForeignChange(env: Env, ids: readonly number[], values: Readonly<Record<string, unknown>>): void {
  if (env.isSudo || env.actor.groups.has('base.group_system')) return;
  if (ids.some((id) => id !== env.uid)) throw accessDenied('core.user', 'write', 'rule');
  for (const field of Object.keys(values)) {
    if (ownFields.has(field)) continue;
    throw accessDenied('core.user', 'write', 'field', {
      field,
      message:
        field === 'password'
          ? text('Change your password with the old one.')
          : text('You may not change {field} of yourself.', {
              field: env.registry.models.get('core.user')?.fields.get(field)?.label ?? field,
            }),
    });
  }
}

/** A login that is an address is where invitations go, unless another one is given. */
function withAddress<T extends { readonly login?: string | null }>(values: T): T {
  const { login } = values;
  return 'email' in values || !login || !isMailAddress(login) ? values : { ...values, email: login };
}

/** No password is ever in a column, only its hash. */
async function withHash<T extends { readonly password?: string | null }>(env: Env, values: T): Promise<T> {
  const { password } = values;
  if (password === undefined) return values;
  if (password === null) return { ...values, has_password: false };
  // As the server: the names of all companies are known to whoever guesses.
  const companies = await env.sudo().model('core.company').searchRead([], ['name'], { limit: 500 });
  const problem = passwordProblem(
    password,
    companies.map(({ name }) => name),
  );
  if (problem) throw new ValidationError({ password: [problem] }, problem);
  return { ...values, password: await hashPassword(password), has_password: true };
}

/** Whoever administers vouches for an address. One that people give themselves identifies nobody. */
function withConfirmation<T extends object>(env: Env, values: T): T {
  if (!('email' in values)) return values;
  return { ...values, email_confirmed: env.isSudo || env.actor.groups.has('base.group_system') };
}

async function endSessions(env: Env, ids: readonly number[]): Promise<void> {
  const sessions = env.sudo().model('sys.session');
  const open = await sessions.search([['user_id', 'in', [...ids]]]);
  if (open.length > 0) await sessions.unlink(open);
}

async function allowOwnCompany(env: Env, ids: readonly number[]): Promise<void> {
  const users = env.sudo().model('core.user');
  for (const user of await users.read(ids, ['company_id', 'company_ids'])) {
    const { company_id: own, company_ids: allowed } = user;
    if (!allowed.includes(own)) await users.write([user.id], { company_ids: [['link', own]] });
  }
}

/** How long an invitation can be accepted. */
export const invitationDays = 7;

/** Mails active users with an address a link to choose their password; those without one are left out. */
async function inviteUsers(env: Env, ids: readonly number[]): Promise<number> {
  const address = (await canMail(env)) ? await baseAddress(env) : null;
  if (!address) return 0;
  const users = await env
    .sudo()
    .model('core.user')
    .read(ids, ['name', 'login', 'email', 'active', 'lang', 'company_id', 'company_id.name']);
  let count = 0;
  for (const user of users) {
    if (!user.email || !isMailAddress(user.email) || !user.active) continue;
    const token = await createResetToken(env.db, user.id, invitationDays * 24);
    const link = `${address}/web/reset-password?token=${token}`;
    const { name, login, email, lang, company_id: companyId } = user;
    const company = user['company_id.name'] ?? '';
    await queueMail(env, await invitationMail(env, { name, login, email, lang, companyId, company, link }));
    count++;
  }
  return count;
}

/** For the button: says why nothing was sent. */
async function inviteOrExplain(env: Env, ids: readonly number[]): Promise<void> {
  if (!(await canMail(env))) throw new UserError('E-mail is not set up, so invitations cannot be sent.');
  if ((await baseAddress(env)) === null) {
    throw new UserError('This server does not know its address, so it cannot send a link. Set base_url.');
  }
  const count = await inviteUsers(env, ids);
  if (count < ids.length) throw new UserError('Only active people with an e-mail address can be invited.');
}

interface Invitation extends Addressee {
  readonly login: string;
}

/** For a new user: who they are here, and where they choose a password. */
export async function invitationMail(env: Mailer, { email, link, lang, ...person }: Invitation): Promise<Mail> {
  const { name, login, company, companyId } = person;
  const values = { name, login, company, days: invitationDays };
  return textMail(env, invitationText, { to: email, lang, companyId, values, href: link });
}
