import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gallery, openGallery } from './gallery.ts';
import type { TestPage } from './test-page.ts';

interface Seen {
  /** By frame, from the first that shows rows: how many there are, and which code has come or is asked for. */
  readonly frames: { readonly rows: number; readonly scripts: readonly string[] }[];
  formats: number;
  /** Who asked for the font, and how many exceptions were made, before the first rows are there. */
  fontStack: string;
  errors: number;
}

declare global {
  interface Window {
    startSeen: Seen;
  }
}

/** Runs in a new page, before the client does. */
function watchStart(): void {
  const seen: Seen = { frames: [], formats: 0, fontStack: '', errors: 0 };
  window.startSeen = seen;
  const RealError = Error;
  const load = document.fonts.load;
  document.fonts.load = (...given) => {
    seen.fontStack = new RealError().stack ?? '';
    return load.apply(document.fonts, given);
  };
  window.Error = new Proxy(Error, {
    apply(target, self, given) {
      if (seen.frames.length === 0) seen.errors++;
      return Reflect.apply(target, self, given);
    },
  });
  Intl.DateTimeFormat = new Proxy(Intl.DateTimeFormat, {
    construct(target, given) {
      seen.formats++;
      return Reflect.construct(target, given);
    },
  });
  const frame = () => {
    const rows = document.querySelectorAll('tr[data-row]').length;
    const scripts = performance.getEntriesByType('resource').map(({ name }) => name);
    if (rows > 0) seen.frames.push({ rows, scripts: scripts.filter((name) => name.endsWith('.js')) });
    if (seen.frames.length < 2) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

describe('the first screen', () => {
  let gallery: Gallery;
  let test: TestPage;
  beforeAll(async () => {
    gallery = await openGallery();
    for (let count = 10; count < 70; count++)
      await gallery.make('piece', { name: `Piece ${count}`, due: '2026-11-14' });
    test = await gallery.open({ path: '/web/home' });
    await test.page.addInitScript(watchStart);
    await test.go('/web?model=gallery.piece&view_type=list');
  });
  afterAll(async () => {
    expect(test.problems).toEqual([]);
    await gallery.close();
  });

  it('SCN-77 is left alone until its frame is there: rows out of sight, other code and the rest come after it', async () => {
    const { frames } = await test.page.evaluate(() => window.startSeen);
    expect(frames[0]?.rows).toBeGreaterThan(10);
    expect(frames[1]).toEqual(frames[0]);
    await test.idle();
    expect(await test.page.locator('tr[data-row]').count()).toBeGreaterThan(frames[0]?.rows ?? 0);
    const scripts = await test.page.evaluate(() => performance.getEntriesByType('resource').length);
    expect(scripts).toBeGreaterThan(frames[0]?.scripts.length ?? 0);
  });

  it('SCN-78 asks one face for Latin letters, and others for letters of theirs when there are some', async () => {
    const loaded = () =>
      test.page.evaluate(async () => {
        await document.fonts.ready;
        const faces = [...document.fonts].filter(({ status }) => status === 'loaded');
        return faces.map(({ family, unicodeRange }) => `${family} ${unicodeRange}`);
      });
    const latin = 'Inter Variable U+0-10FFFF';
    expect(await loaded()).toEqual([latin]);
    const widths = await test.page.evaluate(async () => {
      const text = document.body.appendChild(document.createElement('span'));
      // Without an accent: until the face is there the browser may take a letter apart, and the Cyrillic face has the bare accent.
      text.textContent = 'Ωμεγα';
      text.style.fontFamily = 'sans-serif';
      const fallback = text.offsetWidth;
      text.style.fontFamily = '';
      // Laying it out asks for the face, which may be there at once.
      text.getBoundingClientRect();
      await document.fonts.ready;
      const drawn = text.offsetWidth;
      text.remove();
      return { fallback, drawn };
    });
    expect(widths.drawn).not.toBe(widths.fallback);
    // The page goes on by itself, so another text may have asked for a face as well: only that of Cyrillic letters must not come along.
    const faces = await loaded();
    expect(faces[0]).toBe(latin);
    expect(faces.filter((face) => face.startsWith('Inter Other U+37'))).toHaveLength(1);
    expect(faces.filter((face) => face.includes('U+400-45F'))).toEqual([]);
  });

  it('SCN-81 has nothing in it that makes a debugger read the whole script once more to name a place in it', async () => {
    const { errors, fontStack } = await test.page.evaluate(() => window.startSeen);
    expect(errors).toBe(0);
    const places = fontStack.split('\n').filter((line) => line.includes('/assets/'));
    expect(places.length).toBeGreaterThan(0);
    // What the module itself runs has no name before its place.
    expect(places.filter((line) => !line.includes('('))).toEqual([]);
  });

  it('SCN-79 makes what writes dates once: another form makes none', async () => {
    const open = async (name: string) => {
      await test.click(test.find('link', name));
      await test.page.getByLabel('Due').waitFor();
      await test.idle();
      const made = await test.page.evaluate(() => window.startSeen.formats);
      await test.page.goBack();
      await test.idle();
      return made;
    };
    const made = await open('Piece 10');
    expect(made).toBeGreaterThan(0);
    expect(await open('Piece 11')).toBe(made);
  });
});
