import { expect, it } from 'vitest';
import { compileOutside } from './compile-outside.ts';

const refs = `
import type {} from '@kontor/orm/author';
declare module '@kontor/orm/author' {
  interface Refs {
    'library.group_desk': 'core.group';
    'library.first_shelf': 'library.shelf';
  }
}`;

const shelf = `
import './refs.ts';
import { defineModel, type Env, type FieldsOf, fields } from '@kontor/orm/author';

const shelfFields = { state: fields.selection({ open: 'Open', shut: 'Shut' }, { required: true, default: 'open' }) };
export interface Shelf extends FieldsOf<typeof shelfFields> {}
declare module '@kontor/orm/author' {
  interface Models {
    'library.shelf': Shelf;
  }
}
export async function named(env: Env) {
  await env.ref('library.first_shelf');
  // @ts-expect-error a record that no data file names
  await env.ref('library.first_shelv');
}
export const right = defineModel('library.shelf', {
  fields: shelfFields,
  states: { field: 'state' },
  moves: { shut: { from: 'open', to: 'shut', label: 'Shut', groups: ['library.group_desk'] } },
});
export const wrong = defineModel('library.shelf', {
  fields: shelfFields,
  states: { field: 'state' },
  // @ts-expect-error a record that is no group
  moves: { shut: { from: 'open', to: 'shut', label: 'Shut', groups: ['library.first_shelf'] } },
});`;

it('MOD-9 names of records are checked once they are known to the compiler', { timeout: 120_000 }, async () => {
  expect(await compileOutside({ 'refs.ts': refs, 'shelf.ts': shelf })).toBe('');
});
