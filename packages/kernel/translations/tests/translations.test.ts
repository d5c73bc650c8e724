import { text } from '@kontor/protocol';
import { describe, expect, it } from 'vitest';
import { directionOf, languageChain } from '../language-chain.ts';
import { pluralCategories, type Wordbook } from '../read-wordbooks.ts';
import { createTranslations } from '../translations.ts';

const book = (words: Readonly<Record<string, string>>, client: Readonly<Record<string, string>> = {}): Wordbook => ({
  words: new Map(Object.entries(words)),
  clientWords: new Map(Object.entries(client)),
  dataWords: new Map(),
  importWords: new Map(),
});

describe('languages', () => {
  it('TRL-2 go to their main country and to the language alone', () => {
    expect(languageChain('de_AT')).toEqual(['de_AT', 'de_DE', 'de']);
    expect(languageChain('fr_FR')).toEqual(['fr_FR', 'fr']);
    expect(languageChain('pt_PT')).toEqual(['pt_PT', 'pt_BR', 'pt']);
    expect(languageChain('ar')).toEqual(['ar', 'ar_EG']);
    expect(languageChain('<script>')).toEqual(['<script>']);
  });

  it('have a direction', () => {
    expect(['ar_EG', 'he_IL', 'fa_IR', 'ur_PK', 'ar'].map(directionOf)).toEqual(Array(5).fill('rtl'));
    expect(['de_DE', 'en_US', 'arn_CL', 'hr_HR'].map(directionOf)).toEqual(Array(4).fill('ltr'));
  });

  it('count in forms of their own', () => {
    expect(pluralCategories('de_DE')).toEqual(['one', 'other']);
    expect(pluralCategories('pl_PL')).toEqual(['one', 'few', 'many']);
    expect(pluralCategories('ar_EG')).toEqual(['zero', 'one', 'two', 'few', 'many', 'other']);
    expect(pluralCategories('ja_JP')).toEqual(['other']);
  });
});

describe('words', () => {
  const translations = createTranslations(
    new Map([
      [
        'base',
        new Map([
          ['de_DE', book({ Cancel: 'Abbrechen', Name: 'Name', 'At most {max}.': 'Höchstens {max}.' })],
          ['de_AT', book({ January: 'Jänner' })],
        ]),
      ],
      ['sale', new Map([['de_DE', book({ Cancel: 'Stornieren', Order: 'Auftrag' }, { Drag: 'Ziehen' })]])],
    ]),
  );
  const austrian = translations.in('de_AT');

  it('TRL-2 are looked for from the nearest language to the farthest, and stay English last', () => {
    expect([austrian('January'), austrian('Order'), austrian('Nothing')]).toEqual(['Jänner', 'Auftrag', 'Nothing']);
    expect(translations.in('it_IT')('Cancel')).toBe('Cancel');
    expect(translations.keyOf('de_CH')).toBe(translations.keyOf('de_DE'));
    expect(translations.keyOf('en_US')).toBe('');
  });

  it('TRL-3 are those of the module first, then those of the first that has them', () => {
    expect(austrian('Cancel', 'sale')).toBe('Stornieren');
    expect(austrian('Cancel', 'crm')).toBe('Abbrechen');
    expect(austrian('Cancel')).toBe('Abbrechen');
    expect(austrian('Name', 'sale')).toBe('Name');
  });

  it('keep values apart', () => {
    expect(austrian(text('At most {max}.', { max: 5 }))).toBe('Höchstens 5.');
    expect(austrian(text('{a}, {b}', { a: text('Order'), b: 'Order' }))).toBe('Auftrag, Order');
    expect(String(text('{constructor} {a}', { a: '{b}', b: 'x' }))).toBe('{constructor} {b}');
  });

  it('of client parts are given as a whole', () => {
    expect(translations.clientWords('de_AT')).toEqual({ Drag: 'Ziehen' });
    expect(translations.clientWords('fr_FR')).toEqual({});
  });
});
