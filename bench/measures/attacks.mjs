import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { crc32, deflateRawSync } from 'node:zlib';
import { callAs, signIn } from '../world/first-run.mjs';

const reader = fileURLToPath(new URL('../load/keep-reading.mjs', import.meta.url));

/** Each attack is repeated for so long, so that the longest reads are among those measured. */
const secondsOfAttack = 6;

/** Another person searches contacts while somebody sends what costs most: how long the reads take. */
export async function measureAttacks({ server, people }) {
  const { url } = server;
  const attacker = await signIn(url, people.admin);
  const { headers: reader } = await signIn(url, people.user);
  const call = (model, method, ...args) => callAs(url, attacker.headers, { model, method, args });
  const attacks = await attacksOn({ url, attacker, call });
  const rows = [await measureBeside('nothing', () => pause(50), url, reader)];
  for (const [name, attack] of attacks) rows.push(await measureBeside(name, attack, url, reader));
  return rows;
}

async function measureBeside(name, attack, url, headers) {
  const reading = fork(reader);
  const answered = once(reading, 'message');
  reading.send({ url, headers });
  const until = performance.now() + secondsOfAttack * 1_000;
  let count = 0;
  while (performance.now() < until || count === 0) {
    await attack();
    count++;
  }
  reading.send('stop');
  const [times] = await answered;
  times.sort((a, b) => a - b);
  const at = (share) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))]);
  return {
    measure: `reads beside ${name} (${count} times)`,
    ours: `${times.length} reads, longest ${Math.round(times.at(-1))} ms`,
    latency: `${at(0.5)} / ${at(0.99)} ms`,
    goal: null,
  };
}

async function attacksOn({ url, attacker: { headers, csrf }, call }) {
  const upload = (name, content) => {
    const bytes = Buffer.from(content);
    return async () => {
      const form = new FormData();
      for (const [key, value] of [
        ['csrf_token', csrf],
        ['model', 'core.partner'],
        ['file', new File([bytes], name)],
      ])
        form.set(key, value);
      const answer = await fetch(`${url}/web/bulk/upload`, {
        method: 'POST',
        headers: { cookie: headers.cookie, accept: 'application/json' },
        body: form,
      });
      await answer.arrayBuffer();
    };
  };
  const get = (path) => async () => void (await (await fetch(url + path, { headers })).arrayBuffer());
  const refused = (send) => () => send().catch(() => {});
  const [partner] = await call('core.partner', 'create_many', [{ name: 'Ada' }]);
  const order = (values) => call('sale.order', 'create', { partner_id: partner, ...values });
  const words = (count) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ');
  const line = (name) => ['create', { name, quantity: 1 }];
  const longWord = await order({ note: 'x'.repeat(100_000), line_ids: [line('One')] });
  const longLines = await order({
    line_ids: Array.from({ length: 200 }, (_, at) => line(`${at} ${words(150)}`)),
    note: words(10_000),
  });
  const longForm = `login=a&password=b&${'c=1&'.repeat(1_000_000)}`;
  const open = '<b>'.repeat(80_000);
  const mail = await mailDoor({ url, call });
  return [
    ['a CSV file with a million equal names', upload('a.csv', `${'name,'.repeat(1_400_000)}x\n1\n`)],
    ['a CSV file with two million rows', upload('a.csv', `name\n${'x\n'.repeat(2_100_000)}`)],
    ['a workbook with 900,000 rows', upload('a.xlsx', workbook('<row><c><v>1</v></c></row>'.repeat(900_000)))],
    [
      'a workbook with signs in an attribute',
      upload('a.xlsx', workbook(`<row><c x="${'>'.repeat(30_000_000)}"><v>1</v></c></row>`)),
    ],
    ['rich text with 80,000 open tags', refused(() => call('core.partner', 'create', { name: 'B', comment: open }))],
    ['a search for 3 MB', refused(() => call('core.partner', 'search', [['name', 'ilike', 'x'.repeat(3_000_000)]]))],
    [
      'a request for 1,500 tiles',
      get(
        `/web/wc/workspace?model=sys.board&view_type=form&id=1&tiles=${Array.from({ length: 1_500 }, (_, at) => at)}`,
      ),
    ],
    ['a quotation with a word of 100,000 letters', get(`/web/sale/quotation/${longWord}.pdf`)],
    ['a quotation of 200 long lines', get(`/web/sale/quotation/${longLines}.pdf`)],
    ['a form of a million fields before sign-in', post(`${url}/web/login`, longForm)],
    ['an e-mail of 20 MB with a file', mail(letter({ file: 15_000_000 }))],
    ['an e-mail with 190,000 characters of HTML', mail(letter({ html: '<p>a <b>b</b></p>\n'.repeat(10_500) }))],
  ];
}

function post(address, body) {
  return async () => {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    });
    await answer.arrayBuffer();
  };
}

async function mailDoor({ url, call }) {
  const key = `mk_${randomBytes(24).toString('hex')}`;
  const mailbox = await call('mail.mailbox', 'create', { name: 'Attacks', address: 'attacks@kontor.test' });
  await call('mail.mailbox', 'call', mailbox, 'action_new_key', { key });
  let sent = 0;
  return (make) => async () => {
    const answer = await fetch(`${url}/mail/in/${mailbox}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'message/rfc822' },
      body: make(sent++),
    });
    await answer.arrayBuffer();
    if (answer.status !== 202) throw new Error(`An e-mail was answered with ${answer.status}.`);
  };
}

function letter({ file = 0, html = '<p>a</p>' }) {
  const lines = Buffer.alloc(file, 'x').toString('base64').replaceAll(/.{76}/g, '$&\r\n');
  const attached = `--A\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines}\r\n`;
  return (n) =>
    `From: Vera <v@customer.test>\r\nTo: attacks@kontor.test\r\nMessage-ID: <a${n}@customer.test>\r\nSubject: Lamps\r\nMIME-Version: 1.0\r\n` +
    `Content-Type: multipart/mixed; boundary=A\r\n\r\n--A\r\nContent-Type: text/html\r\n\r\n${html}\r\n${file > 0 ? attached : ''}--A--\r\n`;
}

/** A workbook with one sheet, as small as it can be. */
function workbook(rows) {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const links = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  return zip({
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${links}"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r1" Type="${links}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
  });
}

function zip(files) {
  const [parts, list] = [[], []];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text);
    const packed = deflateRawSync(content);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(content), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(content.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const own = [Buffer.from('PK\x03\x04'), facts, Buffer.from(name), packed];
    list.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), facts, place, Buffer.from(name));
    parts.push(...own);
    offset += own.reduce((sum, { length }) => sum + length, 0);
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(files).length, 4);
  end.writeUInt16LE(Object.keys(files).length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, directory, Buffer.from('PK\x05\x06'), end]);
}
