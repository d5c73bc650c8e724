import { typedEnv } from '@kontor/orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { attachFiles, sendFile } from '../chatter/message-files.ts';
import { addMessage, postComment } from '../chatter/post-message.ts';
import { readChatter } from '../chatter/read-chatter.ts';
import { countFiles, readFiles } from '../chatter/record-files.ts';
import { shareRecord } from '../chatter/share-record.ts';
import { threadDetails } from '../chatter/thread.ts';
import { newsFor, shownNews } from '../following/news.ts';
import { type MailboxWorld, mailboxWorld } from './mailbox-world.ts';

let world: MailboxWorld;
beforeAll(async () => {
  world = await mailboxWorld();
});
afterAll(() => world.close());

it('OUM-24 a guest who may read a record reads no note of colleagues, neither in it nor in news, files and mentions', async () => {
  const guest = await world.person('Greta Guest', ['base.group_portal']);
  await world.server(async (env) => {
    const group_id = await env.ref('base.group_portal');
    await env.model('sys.access').create({
      ...{ name: 'Guests', model: 'crm.lead', group_id, perm_read: true, perm_write: true },
    });
  });
  const lead = await world.lead();
  const thread = { model: 'crm.lead', id: lead };
  const note = await world.work((env) =>
    postComment(typedEnv(env), thread, `Zebra @[Greta Guest](user:${guest.uid})`, { files: [], key: '' }),
  );
  expect(note.unseen).toMatchObject([{ id: guest.uid }]);
  await world.work(async (env) => {
    await attachFiles(typedEnv(env), note.id, [{ name: 'zebra.txt', type: 'text/plain', data: 'YQ==' }]);
    const details = await threadDetails(typedEnv(env), thread);
    await addMessage(typedEnv(env), details, 'system', '<p>Zebra was done</p>');
  });
  await world.work((env) => postComment(typedEnv(env), thread, 'My own words', { files: [], key: '' }), guest);
  const read = await world.work(async (untyped) => {
    const env = typedEnv(untyped);
    const { messages, names } = await newsFor(env, { since: new Date(0), looked: 100 });
    return {
      messages: (await readChatter(env, thread, { before: null, limit: 50 })).messages.map(({ body }) => body),
      files: [(await readFiles(env, thread)).files.length, await countFiles(env, thread)],
      news: await shownNews(env, messages, names),
      told: await env
        .sudo()
        .model('sys.notification')
        .count([['user_id', '=', guest.uid]]),
    };
  }, guest);
  expect(read).toEqual({ messages: ['<p>My own words</p>'], files: [0, 0], news: [], told: 0 });
  const [file] = await world.server((env) => env.model('mail.message.file').search([['message_id', '=', note.id]]));
  await expect(world.work((env) => sendFile(typedEnv(env), file as number), guest)).rejects.toThrow(
    'There is no such file.',
  );
  await expect(world.work((env) => shareRecord(typedEnv(env), thread, guest.uid))).rejects.toThrow(
    'Greta Guest is a guest, who does not read internal notes.',
  );
});
