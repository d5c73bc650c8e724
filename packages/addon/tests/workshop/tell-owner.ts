import {
  companyFrame,
  composeMail,
  defineText,
  type Env,
  queueMail,
  recordLink,
  renderText,
  toHtml,
  unsubscribeLink,
} from '@kontor/addon';

export const readyText = defineText('workshop.ready', {
  label: 'Bike that is ready',
  subject: '{bike} is ready',
  body: ['Repair {name} is done. You can fetch your bike.\nIt cost {cost}.'],
  button: 'Open',
  note: 'You get this because you left your bike with us.',
  values: {
    bike: { label: 'Bike', sample: 'Red racer' },
    name: { label: 'Repair', sample: 'R0042', needed: true },
    cost: { label: 'Cost', type: 'number', sample: '40', optional: true },
  },
  model: 'workshop.repair',
  load: async (env, id) => {
    const [repair] = await env.model('workshop.repair').load([id], ['name', 'bike_id.name']);
    return { bike: repair?.bike_id.name ?? '', name: repair?.name ?? '', cost: null };
  },
});

/** Writes to the owners of bikes that are ready. */
export async function tellOwner(env: Env, repairIds: readonly number[]): Promise<void> {
  const repairs = await env
    .model('workshop.repair')
    .load(repairIds, ['name', 'bike_id.name', 'bike_id.owner_id.email', 'bike_id.owner_id.lang']);
  for (const { id, name, bike_id: bike } of repairs) {
    const { email, lang } = bike.owner_id;
    if (email === null) continue;
    const end = await unsubscribeLink(env, ['workshop', id]);
    const link = await recordLink(env, 'workshop.repair', id);
    const values = { bike: bike.name, name, cost: null };
    const { subject, paragraphs, button, note } = await renderText(env, readyText, { lang }, values);
    const mail = composeMail({
      to: email,
      subject,
      paragraphs: [...paragraphs],
      note,
      button,
      href: link,
      html: paragraphs.map((paragraph) => `<p>${toHtml(paragraph)}</p>`).join(''),
      signature: 'Wheel & Sons\nOpen from 9 to 17',
      signatureHtml: '<p><strong>Wheel &amp; Sons</strong><br>Open from 9 to 17</p>',
      frame: await companyFrame(env, env.actor.companyId, lang),
      hasTitle: true,
      isPreview: false,
      replyTo: 'workshop@example.com',
      attachments: [{ filename: 'bill.txt', contentType: 'text/plain', content: Buffer.from(`Repair ${name}`) }],
      lang,
      unsubscribe: end === null ? null : { label: 'No more e-mails about repairs', href: end },
    });
    await queueMail(env, mail);
  }
}
