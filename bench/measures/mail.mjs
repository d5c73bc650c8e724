import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../report/median.mjs';
import { callAs, signIn } from '../world/first-run.mjs';
import { cpuSeconds } from '../world/process-usage.mjs';

const messages = 1_000;
/** Posts at the same time, as a provider makes them. */
const posts = 8;
const key = `mk_${'b'.repeat(48)}`;

/** E-mails through the HTTP door until all are filed, each on a lead that it creates. */
export async function measureMail({ server, client, people }, { repetitions }) {
  const { headers } = await signIn(server.url, people.admin);
  const call = (method, ...args) => callAs(server.url, headers, { model: 'mail.mailbox', method, args });
  const mailbox = await call('create', { name: 'Bench', address: 'bench@kontor.test', alias: 'sales' });
  await call('call', mailbox, 'action_new_key', { key });
  const [took, cpu] = [[], []];
  // The first round is for the engine to compile.
  for (let round = 0; round <= repetitions; round++) {
    const before = cpuSeconds(server.pid);
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: posts }, (_, lane) => postAll(server.url, mailbox, round, lane)));
    await untilFiled(client, (round + 1) * messages);
    if (round === 0) continue;
    took.push(performance.now() - startedAt);
    cpu.push(cpuSeconds(server.pid) - before);
  }
  return {
    measure: `filing ${messages} e-mails`,
    ours: `${Math.round((messages / median(took)) * 1_000)} e-mails/s`,
    goal: null,
    cpu: `${((median(cpu) * 1_000) / messages).toFixed(1)} ms an e-mail`,
  };
}

async function postAll(url, mailbox, round, lane) {
  for (let n = lane; n < messages; n += posts) {
    const answer = await fetch(`${url}/mail/in/${mailbox}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'message/rfc822' },
      body: letter(`${round}-${n}`),
    });
    await answer.arrayBuffer();
    if (answer.status !== 202) throw new Error(`An e-mail was answered with ${answer.status}.`);
  }
}

/** As customers write: HTML beside text, a signature, what was written before, and a small file. */
function letter(n) {
  const part = (type, content) => `--B\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`;
  const text = `Please offer twenty lamps.\r\n\r\n-- \r\nVera\r\n\r\nOn Monday, Office wrote:\r\n${'> Good morning\r\n'.repeat(40)}`;
  const html = `<p>Please offer <b>twenty</b> lamps.</p><div class="gmail_quote">${'<p>Good morning</p>'.repeat(40)}</div>`;
  return [
    `From: Vera <v${n}@customer.test>\r\nTo: bench@kontor.test\r\nMessage-ID: <b${n}@customer.test>\r\nSubject: Lamps ${n}\r\n`,
    'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=A\r\n\r\n--A\r\n',
    `Content-Type: multipart/alternative; boundary=B\r\n\r\n${part('text/plain', text)}${part('text/html', html)}--B--\r\n`,
    `--A\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n`,
    `${Buffer.alloc(6_000, 'x').toString('base64').replaceAll(/.{76}/g, '$&\r\n')}\r\n--A--\r\n`,
  ].join('');
}

async function untilFiled(client, count) {
  for (;;) {
    const { rows } = await client.query("select count(*)::int4 as count from mail_incoming where state = 'filed'");
    if (rows[0].count >= count) return;
    await pause(20);
  }
}
