import { describe, expect, it } from 'vitest';
import { dayFromWords } from '../day-words.ts';

/** A Wednesday. */
const today = '2026-11-18';

describe('TYP-2 a day in words', () => {
  it.each([
    ['en-US', '21 Dec', '2026-12-21'],
    ['en-US', 'Dec 21st', '2026-12-21'],
    ['en-US', 'January 5', '2027-01-05'],
    ['en-US', '18 november', '2026-11-18'],
    ['en-US', '29 Feb', '2028-02-29'],
    ['en-US', '21-Dec-27', '2027-12-21'],
    ['en-US', 'Dec 21, 2024', '2024-12-21'],
    ['en-US', 'tomorrow', '2026-11-19'],
    ['en-US', 'Yesterday', '2026-11-17'],
    ['en-US', 'in 3 weeks', '2026-12-09'],
    ['en-US', '2 months ago', '2026-09-18'],
    ['en-US', 'next monday', '2026-11-23'],
    ['en-US', 'wed', '2026-11-25'],
    ['en-US', 'last friday', '2026-11-13'],
    ['en-US', 'next month', '2026-12-18'],
    ['de-DE', '21. Dezember', '2026-12-21'],
    ['de-DE', 'übermorgen', '2026-11-20'],
    ['de-DE', 'in 3 Wochen', '2026-12-09'],
    ['de-DE', 'nächsten Montag', '2026-11-23'],
    ['de-DE', 'next monday', '2026-11-23'],
    ['fr-FR', '21 déc. 2026', '2026-12-21'],
    ['fr-FR', '1er janvier', '2027-01-01'],
    ['fr-FR', 'demain', '2026-11-19'],
    ['fr-FR', 'dans 3 semaines', '2026-12-09'],
    ['fr-FR', 'lundi prochain', '2026-11-23'],
    ['es-ES', '21 de diciembre de 2026', '2026-12-21'],
    ['ar-EG', 'غدًا', '2026-11-19'],
    ['ar-EG', '٢١ ديسمبر', '2026-12-21'],
    ['ar-EG', 'الاثنين القادم', '2026-11-23'],
  ])('is read in the language and in English: %s, %s', (locale, text, day) => {
    expect(dayFromWords(text, locale, today)).toBe(day);
  });

  it.each([
    'soon',
    'Dec',
    'Dec 2026',
    '31 feb',
    '32 Dec',
    'monday tuesday tea',
    'in weeks',
    '21 Dec 2026 tea',
    'x'.repeat(100),
  ])('is none: %s', (text) => {
    expect(dayFromWords(text, 'en-US', today)).toBeNull();
  });

  it('that counts from today is none where today is not known', () => {
    expect(dayFromWords('21 Dec', 'en-US')).toBeNull();
    expect(dayFromWords('tomorrow', 'en-US')).toBeNull();
    expect(dayFromWords('21 Dec 2026', 'en-US')).toBe('2026-12-21');
  });

  it.each(['en-US', 'de-DE', 'fr-FR', 'ar-EG', 'es-ES', 'pt-BR', 'pl-PL', 'sv-SE', 'it-IT', 'nl-NL'])(
    'is what the language writes, in every month: %s',
    (locale) => {
      for (const style of ['long', 'short'] as const) {
        const format = new Intl.DateTimeFormat(locale, {
          day: 'numeric',
          month: style,
          year: 'numeric',
          timeZone: 'UTC',
          calendar: 'gregory',
        });
        for (let month = 0; month < 12; month++) {
          const date = new Date(Date.UTC(2026, month, 9));
          expect(dayFromWords(format.format(date), locale), format.format(date)).toBe(date.toISOString().slice(0, 10));
        }
      }
    },
  );
});
