import { composeMail, type Env, queueMail, recordLink, text, wordsIn } from '@kontor/addon';

/** Writes to the owners of bikes that are ready. */
export async function tellOwner(env: Env, repairIds: readonly number[]): Promise<void> {
  const repairs = await env
    .model('workshop.repair')
    .load(repairIds, ['name', 'bike_id.name', 'bike_id.owner_id.email', 'bike_id.owner_id.lang']);
  for (const { id, name, bike_id: bike } of repairs) {
    const { email, lang } = bike.owner_id;
    if (email === null) continue;
    const words = wordsIn(env, lang ?? 'en_US', 'workshop');
    const link = await recordLink(env, 'workshop.repair', id);
    const mail = composeMail({
      to: email,
      subject: text('{bike} is ready', { bike: bike.name }),
      paragraphs: [text('Repair {name} is done. You can fetch your bike.', { name })],
      ...(link !== null && { button: { label: 'Open', href: link } }),
      signature: 'Wheel & Sons\nOpen from 9 to 17',
      note: 'You get this because you left your bike with us.',
      replyTo: 'workshop@example.com',
      attachments: [{ filename: 'bill.txt', contentType: 'text/plain', content: Buffer.from(`Repair ${name}`) }],
      words,
    });
    await queueMail(env, mail);
  }
}
