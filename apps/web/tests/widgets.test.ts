import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { long } from './browser.ts';
import { type Gallery, openGallery } from './gallery.ts';
import { watchChanges } from './rpc-calls.ts';
import type { TestPage } from './test-page.ts';

const wide = 'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNkYPhfz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC';

/** One form that shows every widget twice: to edit, and to read. */
describe('the field widgets', () => {
  let app: Gallery;
  let page: TestPage;
  let id: number;
  let ids: { oil: number; ink: number; hilma: number; euro: number };
  beforeAll(async () => {
    app = await openGallery({ keepsClient: true });
    ids = {
      oil: await app.make('tag', { name: 'Oil', color: 2 }),
      ink: await app.make('tag', { name: 'Ink', color: 4 }),
      hilma: await app.make('artist', { name: 'Hilma' }),
      euro: await app.currency('EUR'),
    };
  });
  afterAll(() => app.close());
  afterEach(async () => {
    expect(page.problems).toEqual([]);
    await page.close();
  });

  const open = async (values: object) => {
    id = await app.make('sample', { name: 'Everything', ...values });
    page = await app.open({ path: `/web?action=gallery.samples&view_type=form&id=${id}` });
    return watchChanges(page);
  };
  const part = (label: 'Edit' | 'Read') =>
    page.page.locator('.form-group', { has: page.page.getByRole('heading', { name: label, exact: true }) });
  const line = (label: string, where: 'Edit' | 'Read' = 'Read') =>
    part(where)
      .locator('.form-line')
      .filter({ has: page.page.locator('.form-label', { hasText: new RegExp(`^${label}\\*?$`) }) });
  const read = async (label: string) => page.text(line(label).locator('.form-control'));
  const saved = (fields: readonly string[]) => app.look('sample', id, fields);

  long('read what they are given, in words and signs', async () => {
    await open({
      kind: 'stone',
      state: 'shown',
      priority: '1',
      size: 'large',
      tag_ids: [['set', [ids.oil, ids.ink]]],
      color: 3,
      progress: 65,
      share: 0.275,
      hours: 2.5,
      amount: 1234.5,
      phone: '+46 8 100',
      email: 'ada@example.com',
      website: 'https://example.com/a',
      bad_link: 'javascript:alert(1)',
      key: 'copy me',
      image: wide,
      portrait: wide,
      certificate: Buffer.from('hello').toString('base64'),
      story: '<p>Once <b>upon</b> a time</p>',
      notes: 'two\nlines',
      extra: { a: [1, 2] },
      filter_domain: [['name', 'ilike', 'Hil']],
      price: 99.5,
      currency_id: ids.euro,
      is_open: true,
      due: new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10),
      seen_at: '2026-11-14T09:30:00Z',
      artist_id: ids.hilma,
      curator_id: 1,
      subject: `gallery.artist,${ids.hilma}`,
      password: 'secret',
    });
    expect(await line('Kind').locator('.badge').textContent()).toBe('Sculpture');
    expect(await page.text('.status [aria-current=step]')).toBe('On show');
    expect(await line('Priority').locator('.star-on').count()).toBe(1);
    expect(await read('Tags')).toBe('Ink\nOil');
    expect(await line('Tags').locator('.tag').first().getAttribute('style')).toContain('--tag');
    expect(await line('Progress').locator('progress').getAttribute('value')).toBe('65');
    expect(await read('Share')).toBe('27.5%');
    expect(await read('Hours')).toBe('2:30');
    expect(await read('Amount')).toBe('1,234.5');
    expect(await line('Phone').getByRole('link').getAttribute('href')).toBe('tel:+468100');
    expect(await line('E-mail').getByRole('link').getAttribute('href')).toBe('mailto:ada@example.com');
    expect(await line('Website').getByRole('link').getAttribute('href')).toBe('https://example.com/a');
    expect(await read('Bad link')).toBe('javascript:alert(1)');
    expect(await line('Bad link').getByRole('link').count()).toBe(0);
    expect(await line('Image').locator('img').count()).toBe(1);
    expect(await line('Portrait').locator('img').count()).toBe(1);
    expect(await line('Certificate').getByRole('link').getAttribute('download')).not.toBeNull();
    expect(await line('Story').locator('b').textContent()).toBe('upon');
    expect(await read('Notes')).toBe('two\nlines');
    expect(await read('Extra')).toContain('"a": [');
    expect(await read('Who may see it')).toBe('Name contains Hil');
    expect(await read('Price')).toBe('€99.50');
    expect(await read('Due')).toContain('5 days');
    expect(await read('Artist')).toBe('Hilma');
    expect(await line('Curator').locator('.avatar').count()).toBe(1);
    expect(await read('Subject')).toBe('Hilma');
    expect(await read('Password')).not.toContain('secret');
    await page.click(line('Key to copy').getByRole('button', { name: 'Copy' }));
    expect(await page.page.evaluate(() => navigator.clipboard.readText())).toBe('copy me');
    await page.checkAccessible();
  });

  it('count no days for what is done', async () => {
    await open({ due: '2020-01-02', is_framed: true });
    expect(await read('Due')).toBe('Jan 2, 2020');
    expect(await line('Due').locator('.remaining-done').count()).toBe(1);
  });

  it('TYP-7 edit each in its own way, and save it all in one write', async () => {
    const calls = await open({});
    const edit = (label: string) => line(label, 'Edit');
    const fill = (label: string, text: string) => edit(label).getByLabel(label, { exact: true }).fill(text);
    const pick = async (label: string, text: string) => {
      await edit(label).getByRole('combobox', { name: label, exact: true }).fill(text);
      await page.idle();
      await page.click(page.find('option', text));
    };
    await edit('Kind').getByRole('combobox').selectOption('paper');
    await page.click(edit('Priority').getByRole('button', { name: 'Very high' }));
    await page.click(edit('Size').getByRole('radio', { name: 'Small' }));
    await pick('Tags', 'Oil');
    await page.click(edit('Topics').getByRole('checkbox', { name: 'Ink' }));
    await page.click(edit('Colour').getByRole('button').nth(5));
    await fill('Progress', '40');
    await fill('Share', '12.5');
    await fill('Hours', '1:45');
    await fill('Amount', '1,250.75');
    await fill('Count', '7');
    await fill('Phone', '112');
    await fill('E-mail', 'b@example.com');
    await fill('Website', 'example.org');
    await fill('Notes', 'a\nb');
    await fill('Extra', '{"a": 1}');
    await fill('Price', '10.5');
    await pick('Currency', 'EUR');
    await page.click(edit('Open').getByRole('switch'));
    await page.click(edit('Framed').getByRole('checkbox'));
    await pick('Artist', 'Hilma');
    await edit('Subject').getByRole('combobox', { name: 'Subject: kind' }).selectOption({ label: 'Artist' });
    await pick('Subject', 'Hilma');
    await fill('Password', 'hush');
    await page.click(edit('Who may see it').getByRole('button', { name: 'Add a condition' }));
    await page.press('Control+s');
    expect(await page.text(edit('Who may see it').locator('.form-problem'))).toContain('A condition has no value.');
    expect(calls).toEqual([]);
    await edit('Who may see it').getByLabel('Value of Name').fill('Hil');
    await page.idle();
    await page.press('Control+s');
    expect(await page.page.locator('.form-problem, .form-notice-bad').allInnerTexts()).toEqual([]);
    expect(calls.map(({ method }) => method)).toEqual(['write']);
    expect(await saved(Object.keys(calls[0]?.args[1] as object))).toMatchObject({
      kind: 'paper',
      priority: '2',
      size: 'small',
      tag_ids: [ids.oil],
      topic_ids: [ids.ink],
      color: 5,
      progress: 40,
      share: 0.125,
      hours: 1.75,
      amount: 1250.75,
      count: 7,
      phone: '112',
      email: 'b@example.com',
      website: 'example.org',
      notes: 'a\nb',
      extra: { a: 1 },
      price: 10.5,
      currency_id: ids.euro,
      is_open: true,
      is_framed: true,
      artist_id: ids.hilma,
      subject: `gallery.artist,${ids.hilma}`,
      password: 'hush',
      filter_domain: [['name', 'ilike', 'Hil']],
    });
    await edit('Who may see it').getByLabel('Value of Name').fill('Sam');
    await page.press('Control+s');
    expect(calls.at(-1)?.kwargs).toEqual({ base: { filter_domain: [['name', 'ilike', 'Hil']] } });
    expect(await saved(['filter_domain'])).toMatchObject({ filter_domain: [['name', 'ilike', 'Sam']] });
  });

  long('TYP-1 TYP-3 read numbers in any notation, and ask where one could be two', async () => {
    const calls = await open({ currency_id: ids.euro });
    const input = (label: string) => line(label, 'Edit').getByLabel(label, { exact: true });
    await input('Amount').fill('249,90');
    await input('Hours').fill('1h30');
    await input('Price').fill('1.234');
    const readings = page.page.locator('.popover', { hasText: 'Which number do you mean?' });
    expect(await readings.getByRole('button').allInnerTexts()).toEqual(['1,234', '1.234']);
    await page.press('Control+s');
    expect(await page.text(line('Price', 'Edit').locator('.form-problem'))).toBe('1.234 could be 1,234 or 1.234.');
    expect(calls).toEqual([]);
    await input('Price').focus();
    await page.click(readings.getByRole('button', { name: '1,234', exact: true }));
    await page.press('Control+s');
    expect(await saved(['amount', 'hours', 'price'])).toMatchObject({ amount: 249.9, hours: 1.5, price: 1234 });
  });

  long('TYP-5 keep a name that is not found, marked, until it is chosen, created or removed', async () => {
    const calls = await open({});
    const artist = line('Artist', 'Edit').getByRole('combobox', { name: 'Artist', exact: true });
    await artist.fill('Wakanda');
    await page.press('Tab');
    expect(await artist.inputValue()).toBe('Wakanda');
    expect(await artist.getAttribute('aria-invalid')).toBe('true');
    await page.press('Control+s');
    expect(await page.text(line('Artist', 'Edit').locator('.form-problem'))).toContain('“Wakanda” was not found.');
    expect(calls).toEqual([]);
    const tags = line('Tags', 'Edit').getByRole('combobox', { name: 'Tags', exact: true });
    await tags.fill('Crayon');
    await tags.blur();
    expect(await tags.inputValue()).toBe('Crayon');
    await artist.fill('hilma');
    await artist.blur();
    await page.idle();
    expect(await artist.inputValue()).toBe('Hilma');
    await page.press('Control+s');
    expect(await page.text(line('Tags', 'Edit').locator('.form-problem'))).toContain('“Crayon” was not found.');
    expect(calls).toEqual([]);
    await tags.fill('');
    await tags.blur();
    await page.press('Control+s');
    expect(await saved(['artist_id'])).toMatchObject({ artist_id: ids.hilma });
  });

  long('takes a picture, cut to a square, and a file', async () => {
    await open({});
    const edit = (label: string) => line(label, 'Edit');
    const picture = await page.page.evaluate(() => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 80, height: 40 });
      const context = canvas.getContext('2d') as CanvasRenderingContext2D;
      context.fillStyle = 'red';
      context.fillRect(0, 0, 40, 40);
      context.fillStyle = 'blue';
      context.fillRect(40, 0, 40, 40);
      return canvas.toDataURL('image/png').replace(/^[^,]*,/, '');
    });
    const upload = (label: string, name: string, mimeType: string, buffer: Buffer) =>
      edit(label).locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
    await upload('Image', 'wide.png', 'image/png', Buffer.from(picture, 'base64'));
    const dialog = page.find('dialog', 'Crop picture');
    await dialog.waitFor();
    await page.checkAccessible();
    await dialog.locator('canvas').focus();
    for (let step = 0; step < 30; step++) await page.page.keyboard.press('ArrowRight');
    await page.click(dialog.getByRole('button', { name: 'Use it' }));
    await upload('Certificate', 'paper.txt', 'text/plain', Buffer.from('hello'));
    await edit('Certificate').getByRole('link').waitFor();
    await page.press('Control+s');
    const { image, certificate } = await app.look<{ image: string; certificate: string }>('sample', id, [
      'image',
      'certificate',
    ]);
    expect(Buffer.from(certificate, 'base64').toString()).toBe('hello');
    const colour = await page.page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
      context.drawImage(bitmap, 0, 0);
      return { size: [bitmap.width, bitmap.height], pixel: [...context.getImageData(2, 2, 1, 1).data] };
    }, image);
    expect(colour).toEqual({ size: [40, 40], pixel: [0, 0, 255, 255] });
  });

  long('makes links in a formatted text, and refuses scripts', async () => {
    await open({ story: '<p>Read this page</p>' });
    const box = line('Story', 'Edit').getByRole('textbox', { name: 'Story' });
    await box.getByText('Read this page').selectText();
    await page.click(line('Story', 'Edit').getByRole('button', { name: 'Link' }));
    const address = page.page.getByLabel('Link address');
    await address.fill('javascript:alert(1)');
    await page.press('Enter');
    expect(await page.find('alert').textContent()).toContain('mailto');
    await page.checkAccessible();
    await address.fill('example.com/story');
    await page.press('Enter');
    expect(await box.locator('a').getAttribute('href')).toBe('https://example.com/story');
    await page.press('Control+s');
    expect((await saved(['story'])).story).toContain('<a href="https://example.com/story"');
    await box.locator('a').selectText();
    await page.click(line('Story', 'Edit').getByRole('button', { name: 'Link' }));
    await page.click(page.find('button', 'Remove the link'));
    await page.press('Control+s');
    expect((await saved(['story'])).story).toBe('<p>Read this page</p>');
  });

  long('are clean in the dark', async () => {
    id = await app.make('sample', { name: 'Dark', progress: 20, priority: '2', tag_ids: [['set', [ids.oil]]] });
    page = await app.open({ path: `/web?action=gallery.samples&view_type=form&id=${id}`, theme: 'dark' });
    await page.checkAccessible();
  });
});
