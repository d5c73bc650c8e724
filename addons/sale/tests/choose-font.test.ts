import { expect, it } from 'vitest';
import { chooseFont } from '../quotation/choose-font.ts';

const letters: Readonly<Record<string, string>> = { latin: 'abc ', arabic: 'لمن', both: 'abc日本' };
const has = (font: string, point: number) => (letters[font] ?? '').includes(String.fromCodePoint(point));
const choose = (text: string) => chooseFont(text, ['latin', 'arabic', 'both'], has);

it('SAL-19 takes the first font that has every letter, else the one that has most', () => {
  expect(choose('abc cab')).toBe('latin');
  expect(choose('')).toBe('latin');
  expect(choose('من')).toBe('arabic');
  expect(choose('a日本')).toBe('both');
  expect(choose('日本c☎')).toBe('both');
  expect(choose('☎')).toBe('latin');
});
