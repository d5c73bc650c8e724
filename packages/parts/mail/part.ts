import { sql } from '@kontor/database';
import { definePart } from '@kontor/kernel';
import { mailQueue } from './mail-queue.ts';
import { sysMailServer } from './mail-server.ts';
import { sysMailDomain } from './sender-domain.ts';
import { startMail } from './start-mail.ts';

/** Counting stops here: an exact number above it is of no interest. */
const most = 100_000;

/** Outgoing mail, stored in the database until the mail server has accepted it. */
export const mailPart = definePart({
  name: 'mail',
  models: [mailQueue, sysMailServer, sysMailDomain],
  signals: { mail: ['sys.mail.server'] },
  expires: {
    clean_logs: [
      { model: 'mail.queue', column: 'write_date', age: '14 days', states: ['sent', 'withdrawn'] },
      { model: 'mail.queue', column: 'write_date', age: '90 days', states: ['dead', 'unclear'] },
    ],
  },
  counts: {
    'mail.waiting': sql`
      select count(*) from (select 1 from mail_queue where state in ('queued', 'sending') limit ${most}::int4) m`,
    'mail.servers': sql`select count(*) from sys_mail_server where active`,
    'mail.dead': sql`select count(*) from mail_queue where state in ('dead', 'unclear')`,
  },
  start: (kernel) => startMail(kernel, kernel.process),
  stop: (worker) => worker.stop(),
});
