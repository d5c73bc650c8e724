import { assembleRegistry, defineModel, fields } from '@kontor/orm';
import { createTestEnv, type TestWorld } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const seen: unknown[] = [];
const box = defineModel('post.box', {
  fields: {
    width: fields.integer(),
    height: fields.integer(),
    is_square: fields.boolean(),
    code: fields.char(),
    area: fields.integer({ computed: true, stored: true }),
  },
  computes: { area: { depends: ['width', 'height'], value: ({ width, height }) => Number(width) * Number(height) } },
  normalise: {
    square: {
      on: ['width', 'height', 'is_square'],
      value: ({ width, height, is_square }, { before, given }) => {
        if (!is_square) return undefined;
        const side = given('height') && !given('width') ? height : width;
        return { width: side, height: side, code: before === null ? 'new' : `was ${before.width}` };
      },
    },
  },
  hooks: {
    async beforeWrite({ values }) {
      seen.push({ ...values });
      return values;
    },
  },
});

let post: TestWorld;
beforeAll(async () => {
  post = await createTestEnv([box]);
});
afterAll(() => post.drop());

const create = (values: Readonly<Record<string, unknown>>) =>
  post.transact((env) => env.model('post.box').create(values));
const read = (...ids: number[]) =>
  post.transact((env) => env.model('post.box').read(ids, ['width', 'height', 'code', 'area']));

describe('LAN-14 values in the form in which they are stored', () => {
  it('LAN-14 are made of what a new record begins with', async () => {
    const id = await create({ width: 3, height: 9, is_square: true });
    expect(await read(id)).toMatchObject([{ width: 3, height: 3, code: 'new', area: 9 }]);
    expect(await read(await create({ width: 3, height: 9 }))).toMatchObject([{ width: 3, height: 9, code: null }]);
  });

  it('LAN-14 are made of each stored record and of what is given, before hooks see them', async () => {
    const ids = [await create({ width: 1, height: 2, is_square: true }), await create({ width: 5, height: 6 })];
    seen.length = 0;
    await post.transact((env) => env.model('post.box').write(ids, { height: 8 }));
    expect(await read(...ids)).toMatchObject([
      { width: 8, height: 8, code: 'was 1', area: 64 },
      { width: 5, height: 8, code: null, area: 40 },
    ]);
    expect(seen).toEqual([{ width: 8, height: 8, code: 'was 1' }, { height: 8 }]);
    await post.transact((env) => env.model('post.box').write([ids[1] as number], { is_square: true }));
    expect(await read(ids[1] as number)).toMatchObject([{ width: 5, height: 5, code: 'was 5' }]);
    await post.transact((env) => env.model('post.box').write(ids, { code: 'X' }));
    expect(await read(...ids)).toMatchObject([{ code: 'X' }, { code: 'X' }]);
  });

  it('LAN-14 are shown in a form while it is filled in', async () => {
    const opened = await post.transact((env) =>
      env.model('post.box').onchange({ width: 4, height: 7, is_square: true }, ['is_square']),
    );
    expect(opened.value).toMatchObject({ height: 4, code: 'new', area: 16 });
    const id = await create({ width: 2, height: 2, is_square: true });
    const typed = await post.transact((env) => env.model('post.box').onchange({ height: 6 }, ['height'], { id }));
    expect(typed.value).toMatchObject({ width: 6, code: 'was 2', area: 36 });
  });

  it('LAN-14 leave a value that does not fit to be refused at its field', async () => {
    await expect(create({ width: 'wide', is_square: true })).rejects.toMatchObject({
      details: { fields: { width: [expect.anything()] } },
    });
  });

  it('LAN-14 are refused for fields that do not exist or are computed', () => {
    const wrong = (on: string[]) => () =>
      assembleRegistry([
        {
          module: 'post',
          definitions: [
            defineModel('post.box', {
              fields: box.fields,
              computes: box.computes,
              normalise: { x: { on, value: () => undefined } },
            }),
          ],
        },
      ]);
    expect(wrong(['widht'])).toThrow('normalise "x" has no field "widht" to use. Did you mean "width"?');
    expect(wrong(['area'])).toThrow('normalise "x" cannot use "area", which is computed.');
    expect(wrong([])).toThrow('normalise "x" has nothing in "on".');
  });
});
