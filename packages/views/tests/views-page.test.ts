import { expect, it } from 'vitest';
import { undocumentedKinds, viewsPage } from '../docs/views-page.ts';

it('VIEW-1 docs/views.md says what the grammar says', async () => {
  await expect(viewsPage()).toMatchFileSnapshot('../../../docs/views.md');
});

it('VIEW-1 every tag of the grammar is in it', () => {
  expect(undocumentedKinds()).toEqual([]);
});
