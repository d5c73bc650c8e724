import { afterAll, beforeAll, describe, expect } from 'vitest';
import { long } from './browser.ts';
import { type Gallery, openGallery } from './gallery.ts';

const pieces = '/web?action=gallery.pieces&view_type=list';

describe('columns of a list', () => {
  let app: Gallery;
  beforeAll(async () => {
    app = await openGallery();
    await app.make('piece', { name: 'Noon' });
  });
  afterAll(() => app.close());

  long(
    'SCN-80 move not while one works in the list: not by a longer text, and not one that a person sized',
    async () => {
      const list = await app.open({ path: pieces });
      const heads = list.page.locator('thead th');
      const widthsOf = async () => {
        const widths = await heads.evaluateAll((all) => all.map((one) => one.clientWidth));
        return new Map((await heads.allInnerTexts()).map((head, at) => [head, widths[at] ?? 0]));
      };
      const before = await widthsOf();
      const phone = list.page.locator(`tr[data-row] [data-col="${[...before.keys()].indexOf('Phone') - 1}"]`);
      await list.click(phone);
      await list.type('+46 8 100 200 300, and in the evening +46 8 100 200 400');
      await list.press('Enter');
      expect(await list.text(phone)).toContain('evening');
      expect(await widthsOf()).toEqual(before);
      await heads.filter({ hasText: 'Artist' }).getByRole('button').focus();
      await list.press('Alt+ArrowRight');
      const chosen = (before.get('Artist') ?? 0) + 16;
      expect((await widthsOf()).get('Artist')).toBe(chosen);
      await list.visit(`${pieces}&group_by=state`);
      await list.visit(pieces);
      const after = await widthsOf();
      expect(after.get('Artist')).toBe(chosen);
      expect(after.get('Phone')).toBeGreaterThan(before.get('Phone') ?? 0);
      expect(list.problems).toEqual([]);
      await list.close();
    },
  );
});
