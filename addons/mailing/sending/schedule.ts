import {
  type ActionCall,
  canMail,
  type Env,
  fields,
  open,
  serverLink,
  type Text,
  text,
  UserError,
  ValidationError,
  wordsIn,
} from '@kontor/addon';
import { domainOf, readAudience } from './audience.ts';
import { checkMailings } from './check-mailing.ts';

type Call = ActionCall<'mailing.mailing'>;
export const scheduleAsks = {
  audience: fields.text({ label: 'Audience', readonly: true }),
  send_at: fields.datetime({ label: 'Begins', help: 'Empty: now.' }),
};

const mostRecipients = 100_000;
const longestMs = 366 * 86_400_000;

const paths = ['state', 'model', 'domain', 'address_path', 'rate'] as const;

export async function proposeSchedule({ env, records }: Pick<Call, 'env' | 'records'>) {
  const [mailing] = await records.load(...paths);
  if (!mailing) return {};
  const { count, sample } = await readAudience(env, mailing);
  const { say } = wordsIn(env, env.actor.lang, 'mailing');
  const hours = Math.max(1, Math.ceil(count / mailing.rate));
  const said = text('{count} records with an address, such as {sample}. About {hours} hours.', {
    count,
    sample,
    hours,
  });
  return { value: { audience: say(said) } };
}

/** From now on it is sent as it is, with the rights of whoever scheduled it. */
export async function schedule({
  env,
  records,
  answers,
}: ActionCall<'mailing.mailing', typeof scheduleAsks>): Promise<void> {
  const mailing = await records.only(...paths);
  if (mailing.state !== 'draft') throw new UserError('This mailing was scheduled already.');
  if (!(await canMail(env))) throw new UserError('No mail server is set up.');
  if ((await serverLink(env, '/')) === null)
    throw new UserError(
      'The server does not know its own address, so nobody could opt out. Enter it under Settings first.',
    );
  const at = answers.send_at === null ? env.now.getTime() : Date.parse(answers.send_at);
  if (at > env.now.getTime() + longestMs) throw new ValidationError({ send_at: ['At most a year from now.'] });
  await checkMailings(env, [mailing.id]);
  const { count } = await readAudience(env, mailing);
  if (count === 0) throw new UserError('Nobody in the audience has an address.');
  if (count > mostRecipients)
    throw new UserError(text('A mailing has at most {most} recipients.', { most: mostRecipients }));
  const begins = new Date(Math.max(at, env.now.getTime())).toISOString();
  await change(env, mailing.id, { state: 'waiting', send_at: begins, sender_id: env.uid, problem: null });
}

export async function pause({ env, records }: Call): Promise<void> {
  const { id } = await inState(
    records,
    ['waiting', 'sending'],
    text('Only a mailing that is being sent can be paused.'),
  );
  await change(env, id, { state: 'paused' });
}

/** What was due meanwhile is sent at the rate of the mailing again. */
export async function resume({ env, records }: Call): Promise<void> {
  const { id } = await inState(records, ['paused'], text('This mailing is not paused.'));
  await change(env, id, { state: 'waiting', send_at: env.now.toISOString(), problem: null });
}

export async function cancel({ env, records }: Call): Promise<void> {
  const { id } = await inState(records, ['waiting', 'sending', 'paused'], text('This mailing is over.'));
  await change(env, id, { state: 'cancelled' });
}

async function inState(records: Call['records'], states: readonly string[], message: Text) {
  const mailing = await records.only('state');
  if (!states.includes(mailing.state)) throw new UserError(message);
  return mailing;
}

interface Change {
  readonly state: 'waiting' | 'paused' | 'cancelled';
  readonly send_at?: string;
  readonly sender_id?: number;
  readonly problem?: null;
}

/** As the server: the state is not written by hand. The caller may write the mailing. */
async function change(env: Env, id: number, values: Change): Promise<void> {
  await env.sudo().model('mailing.mailing').write([id], values);
}

export async function openAudience({ records }: Call) {
  const mailing = await records.only('model', 'domain', 'address_path');
  return open(mailing.model as 'core.partner', { view: 'list', domain: domainOf(mailing) });
}
