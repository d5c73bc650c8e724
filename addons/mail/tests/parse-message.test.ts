import { describe, expect, it } from 'vitest';
import { parseMessage } from '../incoming/parse-message.ts';
import { fingerprintOf } from '../incoming/receive.ts';
import { automatic } from './odd-messages/automatic.ts';
import { bodies, folds } from './odd-messages/bodies.ts';
import { calendarMails } from './odd-messages/calendar-mails.ts';
import { charsets, heads } from './odd-messages/charsets-and-heads.ts';
import { bytes } from './odd-messages/message.ts';
import { moreAutomatic } from './odd-messages/more-automatic.ts';
import { moreCharsets } from './odd-messages/more-charsets.ts';
import { moreStructures } from './odd-messages/more-structures.ts';
import { phonesHome } from './odd-messages/phones-home.ts';
import { structures } from './odd-messages/structures.ts';

const oddMessages = [
  ...[...charsets, ...moreCharsets, ...heads, ...bodies, ...folds],
  ...[...structures, ...moreStructures, ...automatic, ...moreAutomatic, ...phonesHome, ...calendarMails],
];

it('INM-1 covers what two hundred programs and servers send', () => {
  expect(new Set(oddMessages.map(({ name }) => name)).size).toBe(oddMessages.length);
  expect(oddMessages.length).toBeGreaterThan(200);
});

describe('INM-1 what is read from an e-mail', () => {
  it.each(oddMessages.map((one) => [one.name, one] as const))('INM-1 %s', async (_name, { raw, is }) => {
    const { body, files, ...message } = await parseMessage(raw);
    const read = { ...message, ...body, files: files.map(({ name, type }) => `${name} ${type}`) };
    expect(read).toMatchObject(is);
  });

  it('INM-1 the same e-mail over other servers is the same, and another text under its Message-ID is not', async () => {
    const message = 'Message-ID: <a@x>\nFrom: a@example.com\n\nHello';
    const first = await fingerprintOf(bytes(message));
    expect(await fingerprintOf(bytes(`Received: by mx.test\n${message}`))).toBe(first);
    expect(await fingerprintOf(bytes(message.replace('Hello', 'Hullo')))).not.toBe(first);
    expect(await fingerprintOf(bytes(message.replace('<a@x>', '<b@x>')))).not.toBe(first);
    const without = 'From: a@example.com\nDate: Monday\n\nHello';
    expect(await fingerprintOf(bytes(without))).not.toBe(
      await fingerprintOf(bytes(without.replace('Monday', 'Tuesday'))),
    );
  });

  it('INM-1 CST-8 HTML with more elements than can be cleaned in passing is left out, for its text or with the original as a file', async () => {
    const html = '<p>a <b>b</b></p>'.repeat(5_000);
    const part = (type: string, body: string) => `--A\nContent-Type: ${type}\n\n${body}\n`;
    const alternative = 'Message-ID: <a@x>\nContent-Type: multipart/alternative; boundary=A\n\n';
    const both = await parseMessage(
      bytes(`${alternative}${part('text/plain', 'Hello')}${part('text/html', html)}--A--\n`),
    );
    expect(both).toMatchObject({ body: { shown: '<p>Hello</p>' }, isPartial: false });
    const alone = await parseMessage(bytes(`Message-ID: <a@x>\nContent-Type: text/html\n\n${html}\n`));
    expect(alone).toMatchObject({ body: { shown: '' }, isPartial: true, files: [{ name: 'message.eml' }] });
  });

  it('INM-1 marks without an end are read in linear time', async () => {
    // So many that quadratic work would not end before the test is given up.
    for (const part of ['<div>', '<b', '<img alt="', '> ', 'https://', '--XX\n', '=?utf-8?Q?', '"', '(']) {
      const raw = bytes(`From: ${part.repeat(2_000)}\nContent-Type: text/html\n\n${part.repeat(40_000)}`);
      expect((await parseMessage(raw)).kind).toBe('message');
    }
  });

  it.each([
    ['elements that stay open between ends of others', 'text/html', '<b></x>'.repeat(1_000)],
    ['elements whose ends are in comments', 'text/html', '<b><!--</b>-->'.repeat(1_000)],
    ['elements whose ends are in attributes', 'text/html', '<b><br title="</b>">'.repeat(1_000)],
    ['lines of dashes', 'text/plain', '--\n'.repeat(3_000)],
    ['short lines', 'text/plain', 'a\n'.repeat(30_000)],
  ])('INM-11 an e-mail with too many %s is kept as a file', async (_, type, body) => {
    const message = await parseMessage(bytes(`From: a@b.test\nContent-Type: ${type}\n\n${body}`));
    expect(message).toMatchObject({ isPartial: true, files: [{ name: 'message.eml' }], from: { address: 'a@b.test' } });
  });

  it.each([
    ['headers', 'Message-ID: <a\0b@x>\nReferences: <c\0d@x>\nSubject: =?utf-8?b?8J+Y?= x\0\n\nHello'],
    ['the name of a file', `Content-Type: a/b; name="${'a'.repeat(254)}😀"\nContent-Disposition: attachment\n\nHello`],
    ['a text that is cut', `Content-Type: text/plain; charset=utf-8\n\n${'a'.repeat(99_999)}😀b`],
    ['an entity', 'Content-Type: text/html\n\n<p>&#xd83d; &#0;</p>'],
  ])('INM-1 null bytes and halves of characters in %s can be stored', async (_, rest) => {
    const { files, ...message } = await parseMessage(Buffer.from(`From: a@b.test\n${rest}`));
    const texts = JSON.stringify([message, files.map(({ name }) => name)]);
    expect(texts).not.toMatch(/\\u0000|\\ud[89a-f]/);
  });

  it('INM-11 others are answered while a long e-mail is read', async () => {
    const raw = bytes(`From: a@b.test\n\n${`${'x'.repeat(60)}\n`.repeat(60_000)}`);
    let [turns, isRead] = [0, false];
    const answer = () => {
      turns++;
      if (!isRead) setImmediate(answer);
    };
    setImmediate(answer);
    await parseMessage(raw);
    isRead = true;
    expect(turns).toBeGreaterThan(40);
  });

  it('INM-11 four times as many spaces in a delivery status cost about four times as much', async () => {
    const cost = async (spaces: number) => {
      const status = `Content-Type: message/delivery-status\n\nAction: failed\nFinal-Recipient:${' '.repeat(spaces)}`;
      const raw = bytes(`From: a@b.test\nContent-Type: multipart/report; boundary=X\n\n--X\n${status}\n--X--`);
      const costs: number[] = [];
      for (let run = 0; run < 3; run++) {
        const before = process.cpuUsage();
        await parseMessage(raw);
        costs.push(process.cpuUsage(before).user);
      }
      return Math.min(...costs);
    };
    // With the square it would be sixteen times as much. Below some milliseconds it is the machine that is measured.
    expect(await cost(60_000)).toBeLessThan(Math.max(await cost(15_000), 15_000) * 9);
  });
});
