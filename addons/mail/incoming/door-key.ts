import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type ActionCall, fields, tellSecret, ValidationError } from '@kontor/addon';

export const keyAsks = {
  path: fields.char({ label: 'Path on this server', readonly: true }),
  key: fields.char({
    label: 'Key',
    required: true,
    size: 100,
    help: 'Copy it now: only a hash is stored. Providers send it as a password or as a bearer token.',
  }),
};
type Call = ActionCall<'mail.mailbox', typeof keyAsks>;

const format = /^mk_[0-9a-f]{48}$/;

/** A key and the path of the door, to be copied before they are confirmed. */
export async function proposeKey({ records }: Pick<Call, 'records'>) {
  return { value: { key: `mk_${randomBytes(24).toString('hex')}`, path: `/mail/in/${records.ids[0]}` } };
}

export async function saveKey({ env, records, answers }: Call): Promise<void> {
  const { id } = await records.only('id');
  if (!format.test(answers.key)) throw new ValidationError({ key: ['Use the proposed key.'] });
  tellSecret(env);
  // As the server: hashes cannot be written. The caller may write this mailbox, as checked before.
  await env
    .sudo()
    .model('mail.mailbox')
    .write([id], { key_hash: hashOf(answers.key), key_since: env.now.toISOString() });
}

/** The key in `Authorization`: a bearer token, or the password of Basic. */
export function givenKey(authorization: string | undefined): string {
  const [, scheme = '', value = ''] = /^(bearer|basic) +(\S{1,500})$/i.exec(authorization ?? '') ?? [];
  if (scheme.toLowerCase() !== 'basic') return value;
  return /^[^:]*:(.*)$/s.exec(Buffer.from(value, 'base64').toString('utf8'))?.[1] ?? '';
}

/** In constant time; a mailbox without a key opens to nobody. */
export function isKeyOf(storedHash: string | null, given: string): boolean {
  const expected = Buffer.from(storedHash ?? hashOf(randomBytes(8).toString('hex')));
  const actual = Buffer.from(hashOf(given));
  return expected.length === actual.length && timingSafeEqual(expected, actual) && storedHash !== null;
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
